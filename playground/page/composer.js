// Words and cards of a move, to be touched instead of typed: what is touched comes behind what stands in a field.
function makeComposer(host, input) {
  let words = [];
  const draw = makeGroup(host);

  function say(next) {
    const now = input.value.trimEnd();
    const verb = words[0].words.includes(next);
    const between = !now || next === ";" ? "" : verb && !now.endsWith(";") ? "; " : " ";
    input.value = now + between + next;
  }

  function unsay() {
    input.value = input.value.trimEnd().replace(/(^|;|\s)[^\s;]*;?$/, "").trimEnd();
  }

  const key = (text, on, label = cardName(text)) => element("button", { type: "button", class: suitOf(text), text: faceOf(text), "aria-label": label, on });

  return {
    show(groups) {
      words = groups;
      draw(...groups.filter((group) => group.words.length).map((group, index) => element("div", {
        class: "row keys", role: "group", "aria-label": group.name,
      }, element("span", { text: index ? group.name : "", hidden: !index }),
      ...group.words.map((word) => key(word, () => say(word))),
      ...(index ? [] : [key("⌫", unsay, "Delete the last word")]))));
    },
  };
}

const SIGNS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const isCard = (text) => /^([2-9TJQKA][cdhs]|Jk)$/.test(text);
const suitOf = (text) => (isCard(text) ? text.at(-1) : false);
const faceOf = (text) => (!isCard(text) || text === "Jk" ? text : (text[0] === "T" ? "10" : text[0]) + SIGNS[text[1]]);
const cardName = (text) => (isCard(text) ? `${faceOf(text)} ${text}` : text);
