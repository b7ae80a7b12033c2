// The rule behind a verdict: what it means, why it is there, the key it comes from, and the way to change it.
import { closeSheet, el, icon, openSheet } from "./dom.ts";
import type { Finding } from "./table.ts";
import { sentence, told } from "./words.ts";

export function openRule(finding: Finding): void {
  const { code, message, page, rule, facts = [] } = finding;
  const body = el("div", { cls: "rule-body" }, el("p", { cls: "lead", html: sentence(message) }));
  const notes = facts.filter((fact) => !/^(rule|legal here|more): /.test(fact));
  if (notes.length) body.append(el("p", { html: told(notes.join("; ")) }));
  if (page) body.append(el("p", { html: told(page.means) }), el("p", { html: `<b>Why?</b> ${told(page.why)}` }));
  if (rule) {
    const change = (): void => { closeSheet(); location.hash = `/rules/${rule.key}`; };
    body.append(
      el("div", { cls: "setting" },
        el("p", { cls: "label", text: "As it is written" }),
        el("p", { cls: "code" }, el("code", { text: `${rule.key}: ${rule.value}` })),
        el("p", { cls: "soft", text: `Line ${rule.line} of ${rule.file}` })),
      el("p", { cls: "acts" }, el("button", { html: `${icon("switch")}<span>We play it differently</span>`, on: { click: change } })),
    );
  }
  body.append(el("p", { cls: "soft code", text: code }));
  openSheet("The rule", body, { cls: "side-sheet" });
}
