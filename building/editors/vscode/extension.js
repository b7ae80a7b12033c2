// Starts `meldref lsp` for logs and rules files.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const command = workspace.getConfiguration("meldref").get("command");
  client = new LanguageClient("meldref", "meldref", { command, args: ["lsp"] }, {
    documentSelector: [{ language: "rgn" }, { language: "yaml" }],
  });
  return client.start();
};

exports.deactivate = () => client?.stop();
