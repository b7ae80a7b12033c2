const startWorker = () => new Worker("worker.js", { type: "module" });
