// The deck: 52 cards, the joker, the unknown card and the back. Each is drawn twice, by what reports have as well:
// `small` (a big index and one pip: read at 40 px), and of its pieces `full` (pips and courts: from 96 px on).
import small from "../../validator/meldref_table/report/cards.svg";
import full from "./faces.svg";

export const SUITS = ['s', 'h', 'c', 'd'];
export const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K'];
const RANK_NAMES: Record<string, string> = { A: 'ace', T: '10', J: 'jack', Q: 'queen', K: 'king' };
const SIGNS: Record<string, string> = { s: '♠', h: '♥', c: '♣', d: '♦' };
const SUIT_NAMES: Record<string, string> = { s: 'spades', h: 'hearts', c: 'clubs', d: 'diamonds' };

export const plain = (c: string): string => c.split('=')[0];
const shownRank = (c: string): string => (c[0] === 'T' ? '10' : c[0]);
const rankName = (c: string): string => RANK_NAMES[c[0]] ?? c[0];
/** A card as it is called: `4 of clubs`, `joker`, `unknown card`. */
export function cardName(c: string): string {
  const p = plain(c);
  if (p === '?') return 'unknown card';
  if (p === 'Jk') return c.includes('=') ? `joker as ${spoken(c.split('=')[1])}` : 'joker';
  return `${rankName(p)} of ${SUIT_NAMES[p[1]]}`;
}
const spoken = (t: string): string => (t.length === 1 ? `a ${rankName(t)}` : cardName(t));

const SIGNED: Record<string, string> = { '♠': 's', '♥': 'h', '♣': 'c', '♦': 'd' };
/** The card that a typed word names, however it is written; null where it names none. */
export function cardIn(word: string): string | null {
  const [named = '', as] = word.replace(/[♠♥♣♦]/g, (sign) => SIGNED[sign] ?? sign).split('=');
  const card = /^jo?k(er)?$/i.test(named) ? 'Jk' : ranked(named);
  return as === undefined || card === null ? card : `${card}=${ranked(as) ?? as}`;
}
function ranked(word: string): string | null {
  if (word === '?') return word;
  const [, rank, suit] = /^(10|[2-9tjqka])([cdhs])$/i.exec(word) ?? [];
  return rank && suit ? (rank === '10' ? 'T' : rank.toUpperCase()) + suit.toLowerCase() : null;
}

/** Every symbol of the cards, as drawings of no size. */
export const cardSymbols = (): string => small + full;

/** A card as a picture of its own, in a colour. */
export async function pictureOf(id: string, colour: string): Promise<HTMLImageElement> {
  const picture = new Image();
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 140" width="300" height="420" color="${colour}">${cardSymbols().replace(/<!--[^>]*-->/g, "")}<use href="#${id}"/></svg>`;
  picture.src = `data:image/svg+xml,${encodeURIComponent(drawn)}`;
  await picture.decode();
  return picture;
}

/** Puts the symbols into the page, once. */
export function installCards(): void {
  const box = document.createElement('div');
  box.className = 'sprite';
  box.innerHTML = cardSymbols();
  document.body.prepend(box);
}

export const suitOf = (c: string): string => { const p = plain(c); return p === 'Jk' ? 'k' : p === '?' ? 'u' : p[1]; };
/** The inside of a card, as SVG. */
export function face(c: string, down = false): string {
  const p = plain(c);
  const id = down ? 'back' : p === '?' ? 'unknown' : p;
  const as = c.includes('=') ? `<span class="as">${shortOf(c.split('=')[1])}</span>` : '';
  return `<svg class="f-s" aria-hidden="true"><use href="#s-${id}"/></svg><svg class="f-f" aria-hidden="true"><use href="#f-${id}"/></svg>${as}`;
}
/** A rank, with the suit drawn where there is one; its sign is there for those who copy it. */
const shortOf = (t: string): string => (t.length === 1 ? shownRank(t) : `${shownRank(t)}<svg class="pip" aria-hidden="true"><use href="#pip-${t[1]}"/></svg><span class="sign">${SIGNS[t[1]]}</span>`);
/** A card in little: its rank and suit. */
export function littleFace(c: string): string {
  if (c === '?') return '<b>?</b>';
  const pip = `<svg class="pip" aria-hidden="true"><use href="#pip-${suitOf(c)}"/></svg>`;
  return c === 'Jk' ? pip : `<b>${shownRank(c)}</b>${pip}`;
}
/** A card within a sentence. */
export function chip(c: string): string {
  const p = plain(c), s = suitOf(c);
  if (p === '?') return '<span class="ct">?</span>';
  if (p === 'Jk') return `<span class="ct k"><svg class="pip"><use href="#pip-k"/></svg>Joker${c.includes('=') ? ` as ${shortOf(c.split('=')[1])}` : ''}</span>`;
  return `<span class="ct ${s}">${shortOf(p)}</span>`;
}
/** Words of the referee, with its cards drawn. */
export function withCards(text: string): string {
  return text.replace(/\bJk(?:=(?:[2-9TJQKA][cdhs]?))?|\b[2-9TJQKA][cdhs]\b/g, (c) => chip(c));
}
