// The deck: 52 cards, the joker, the unknown card and the back, drawn here as SVG symbols.
// Each face exists twice: `small` (big index, one pip: read at 40 px) and `full` (pips and courts: from 92 px on).

export const SUITS = ['s', 'h', 'c', 'd'];
export const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K'];
export const PIPS: Record<string, string> = {
  h: 'M50 92C22 66 6 50 6 31 6 17 17 7 29 7c10 0 17 6 21 15C54 13 61 7 71 7c12 0 23 10 23 24 0 19-16 35-44 61Z',
  d: 'M50 3c8 17 20 33 35 47-15 14-27 30-35 47C42 80 30 64 15 50 30 36 42 20 50 3Z',
  s: 'M50 4c11 19 43 36 43 58 0 13-9 21-20 21-8 0-14-4-18-10 1 10 4 18 10 23H35c6-5 9-13 10-23-4 6-10 10-18 10C16 83 7 75 7 62 7 40 39 23 50 4Z',
  c: 'M50 4a21 21 0 1 1 0 42a21 21 0 1 1 0-42ZM27 37a21 21 0 1 1 0 42a21 21 0 1 1 0-42ZM73 37a21 21 0 1 1 0 42a21 21 0 1 1 0-42ZM41 40h18c-3 24 0 42 8 56H33c8-14 11-32 8-56Z',
};
const RANK_NAMES: Record<string, string> = { A: 'ace', T: '10', J: 'jack', Q: 'queen', K: 'king' };
const SIGNS: Record<string, string> = { s: '♠', h: '♥', c: '♣', d: '♦' };
const SUIT_NAMES: Record<string, string> = { s: 'spades', h: 'hearts', c: 'clubs', d: 'diamonds' };

export const plain = (c: string): string => c.split('=')[0];
export const shownRank = (c: string): string => (c[0] === 'T' ? '10' : c[0]);
const rankName = (c: string): string => RANK_NAMES[c[0]] ?? c[0];
/** A card as it is called: `4 of clubs`, `joker`, `unknown card`. */
export function cardName(c: string): string {
  const p = plain(c);
  if (p === '?') return 'unknown card';
  if (p === 'Jk') return c.includes('=') ? `joker as ${spoken(c.split('=')[1])}` : 'joker';
  return `${rankName(p)} of ${SUIT_NAMES[p[1]]}`;
}
const spoken = (t: string): string => (t.length === 1 ? `a ${rankName(t)}` : cardName(t));
export function deck(): string[] { return SUITS.flatMap((s) => RANKS.map((r) => r + s)); }

const pip = (s: string, x: number, y: number, size: number, turn = false): string => {
  const k = size / 100;
  return `<path d="${PIPS[s]}" fill="currentColor" transform="translate(${x} ${y})${turn ? ' rotate(180)' : ''} scale(${k}) translate(-50 -50)"/>`;
};
const index = (r: string, size: number, x: number, y: number): string => {
  const t = shownRank(r);
  return `<text x="${x}" y="${y}" font-size="${size}" text-anchor="middle" fill="currentColor" font-family="Besley, Georgia, serif" font-weight="700"${t === '10' ? ' letter-spacing="-4" dx="-2"' : ''}>${t}</text>`;
};

const L = 37, M = 50, R = 63;
const COLUMNS: Record<string, [number, number][]> = {
  2: [[M, 30], [M, 110]], 3: [[M, 28], [M, 70], [M, 112]],
  4: [[L, 32], [R, 32], [L, 108], [R, 108]], 5: [[L, 32], [R, 32], [M, 70], [L, 108], [R, 108]],
  6: [[L, 30], [R, 30], [L, 70], [R, 70], [L, 110], [R, 110]],
  7: [[L, 30], [R, 30], [M, 50], [L, 70], [R, 70], [L, 110], [R, 110]],
  8: [[L, 30], [R, 30], [M, 50], [L, 70], [R, 70], [M, 90], [L, 110], [R, 110]],
  9: [[L, 27], [R, 27], [L, 56], [R, 56], [M, 70], [L, 84], [R, 84], [L, 113], [R, 113]],
  T: [[L, 26], [R, 26], [M, 41], [L, 56], [R, 56], [L, 84], [R, 84], [M, 99], [L, 114], [R, 114]],
};
const GOLD = '#c9973f', SKIN = '#f7e4cd', LINE = '#2a2724';
const HEADS: Record<string, string> = {
  K: `<path d="M36 33 33 17l8 6 9-11 9 11 8-6-3 16Z" fill="${GOLD}" stroke="${LINE}" stroke-width="1.2" stroke-linejoin="round"/>
      <path d="M39 33h22v12a11 11 0 0 1-22 0Z" fill="${SKIN}" stroke="${LINE}" stroke-width="1.2"/>
      <path d="M38.5 42c3-2 5 1 7 1s3-1.500 4.500-1.500S52.500 43 54.500 43s4-3 7-1v5c0 8-6 13-11.500 13S38.500 55 38.500 47Z" fill="${LINE}"/>`,
  Q: `<path d="M34 56c-3-9-1-20 4-25h24c5 5 7 16 4 25-4-3-5-8-5-14H39c0 6-1 11-5 14Z" fill="${LINE}"/>
      <path d="M39 32h22v11a11 11 0 0 1-22 0Z" fill="${SKIN}" stroke="${LINE}" stroke-width="1.200"/>
      <path d="M36 32c0-5 2-8 4-10 2 4 4 5 5 5 2-2 3-5 5-9 2 4 3 7 5 9 1 0 3-1 5-5 2 2 4 5 4 10Z" fill="${GOLD}" stroke="${LINE}" stroke-width="1.200" stroke-linejoin="round"/>
      <circle cx="50" cy="17" r="2.400" fill="${GOLD}" stroke="${LINE}"/>`,
  J: `<path d="M37 50c-3-6-3-14 0-19h26c3 5 3 13 0 19l-4-6H41Z" fill="${LINE}"/>
      <path d="M39.500 32h21v11a10.500 10.500 0 0 1-21 0Z" fill="${SKIN}" stroke="${LINE}" stroke-width="1.200"/>
      <path d="M34 33c0-10 8-14 16-14s16 4 16 14c-10-4-22-4-32 0Z" fill="currentColor" stroke="${LINE}" stroke-width="1.200"/>
      <path d="M61 24c3-6 8-8 11-7-1 5-5 9-10 10Z" fill="${GOLD}" stroke="${LINE}" stroke-width="1"/>`,
};
/** What a court card holds: a sceptre, a flower, a halberd. */
const HELD: Record<string, string> = {
  K: `<path d="M69 69 71 38" stroke="${LINE}" stroke-width="3.600"/><path d="M69 69 71 38" stroke="${GOLD}" stroke-width="2"/><circle cx="71.200" cy="35" r="3.800" fill="${GOLD}" stroke="${LINE}" stroke-width=".900"/><path d="M71.200 26v6M68.500 28.500h5.400" stroke="${LINE}" stroke-width="1.600"/>`,
  Q: `<path d="M31 69q-2-9-1-17" stroke="#3d7a4a" stroke-width="1.800" fill="none"/><path d="M30.500 61q-5-1-5-5 5 0 5 5Z" fill="#3d7a4a"/><g fill="currentColor" stroke="${LINE}" stroke-width=".600"><circle cx="30" cy="44.500" r="3"/><circle cx="26.500" cy="48" r="3"/><circle cx="33.500" cy="48" r="3"/><circle cx="30" cy="51" r="3"/></g><circle cx="30" cy="48" r="2" fill="${GOLD}"/>`,
  J: `<path d="M31 69 29 30" stroke="${LINE}" stroke-width="2.200"/><path d="M29 26c6 1 8 8 4 12-1-3-3-3-4-3Z" fill="${GOLD}" stroke="${LINE}" stroke-width=".900"/><path d="M29 19l2 8h-3.500Z" fill="${GOLD}" stroke="${LINE}" stroke-width=".800"/>`,
};
function court(r: string): string {
  const half = `<g>
    ${HELD[r]}
    <path d="M25 70V61c4-4 10-6 16-7l9 7 9-7c6 1 12 3 16 7v9Z" fill="currentColor"/>
    <path d="M41 54l9 8 9-8 4 1-13 15-13-15Z" fill="${GOLD}"/>
    <path d="M25 65.500h50M29 70v-8M71 70v-8" stroke="${GOLD}" stroke-width="1.500" fill="none"/>
    <path d="M33 61h.1M38 59.500h.1M62 59.500h.1M67 61h.1M35.500 68.500h.1M43 68.500h.1M57 68.500h.1M64.500 68.500h.1" stroke="${GOLD}" stroke-width="2.200" stroke-linecap="round"/>
    ${HEADS[r]}
    <circle cx="45.700" cy="38" r="1.300" fill="${LINE}"/><circle cx="54.300" cy="38" r="1.300" fill="${LINE}"/>
    ${r === 'K' ? '' : `<path d="M47.500 47q2.500 2 5 0" stroke="#b5443c" stroke-width="1.500" fill="none" stroke-linecap="round"/>`}
  </g>`;
  return `<g transform="translate(5.500 7.700) scale(.890)"><rect x="24.500" y="12.500" width="51" height="115" rx="4" fill="#fdf6e6" stroke="currentColor" stroke-width="1.300" opacity=".95"/>
    ${half}<g transform="rotate(180 50 70)">${half}</g><path d="M25 70h50" stroke="${LINE}" stroke-width="1"/></g>`;
}
const JESTER = `<path d="M50 66c-16 0-24-8-27-20-7 0-11-6-9-13 8 1 13 3 17 8 2-13 9-22 19-27 10 5 17 14 19 27 4-5 9-7 17-8 2 7-2 13-9 13-3 12-11 20-27 20Z" fill="currentColor"/>
  <path d="M50 15c-4 14-5 34-2 51h4c3-17 2-37-2-51Z" fill="${GOLD}"/><path d="M26 64q24 10 48 0l-2 9q-22 8-44 0Z" fill="${GOLD}"/>
  <circle cx="14" cy="33" r="5" fill="${GOLD}"/><circle cx="86" cy="33" r="5" fill="${GOLD}"/><circle cx="50" cy="13" r="5" fill="${GOLD}"/>`;
const STAR = 'M50 6l13 28 31 4-23 21 6 31-27-15-27 15 6-31L6 38l31-4Z';
const star = (x: number, y: number, size: number): string => `<path d="${STAR}" fill="currentColor" transform="translate(${x} ${y}) scale(${size / 100}) translate(-50 -50)"/>`;

function small(c: string): string {
  if (c === 'Jk') return `${star(24, 27, 36)}<text x="31" y="58" font-size="14.5" text-anchor="middle" fill="currentColor" font-family="Besley, Georgia, serif" font-weight="700">JOKER</text>
    <g transform="translate(20 58) scale(.74)">${JESTER}</g>`;
  const [r, s] = c;
  return (r === 'T' ? index(r, 45, 29, 42) : index(r, 50, 26, 44)) + pip(s, 26, 63, 29) + pip(s, 66, 102, 58);
}
function full(c: string): string {
  if (c === 'Jk') return `${star(14, 16, 18)}<g transform="rotate(180 50 70)">${star(14, 16, 18)}</g><g transform="translate(8 30) scale(.84)">${JESTER}</g>
    <text x="50" y="116" font-size="13" letter-spacing="2" text-anchor="middle" fill="currentColor" font-family="Besley, Georgia, serif" font-weight="700">JOKER</text>`;
  const [r, s] = c;
  const corner = (r === 'T' ? index(r, 22, 15, 24) : index(r, 26, 14, 25)) + pip(s, 14, 37, 15);
  const corners = `${corner}<g transform="rotate(180 50 70)">${corner}</g>`;
  if (r === 'A') return corners + pip(s, 50, 70, s === 's' ? 58 : 46);
  if (HEADS[r]) return corners + court(r);
  return corners + COLUMNS[r].map(([x, y]) => pip(s, x, y, 21, y > 71)).join('');
}
const BACK = `<rect x="5" y="5" width="90" height="130" rx="6" fill="#27406b"/>
  <rect x="9" y="9" width="82" height="122" rx="4" fill="url(#back-weave)" stroke="#e9dcc0" stroke-width="1.200"/>
  <circle cx="50" cy="70" r="17" fill="#27406b" stroke="#e9dcc0" stroke-width="1.500"/>
  <g color="#e9dcc0">${pip('s', 50, 70, 20)}</g>`;
const UNKNOWN = `<rect x="5" y="5" width="90" height="130" rx="6" fill="#e9e4d8" stroke="#8b8473" stroke-width="2" stroke-dasharray="6 5"/>
  <text x="50" y="88" font-size="58" text-anchor="middle" fill="#5d5747" font-family="Besley, Georgia, serif" font-weight="700">?</text>`;

/** Every symbol of the cards, as a drawing of no size. */
export function cardSymbols(): string {
  const sym = (id: string, body: string, box = '0 0 100 140') => `<symbol id="${id}" viewBox="${box}">${body}</symbol>`;
  const all = [...deck(), 'Jk'];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true"><defs>
    <pattern id="back-weave" width="10" height="10" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="10" height="10" fill="#2d4a7b"/><path d="M0 0h10M0 0v10" stroke="#e9dcc0" stroke-width="1.600" opacity=".55"/></pattern></defs>
    ${all.map((c) => sym(`s-${c}`, small(c)) + sym(`f-${c}`, full(c))).join('')}
    ${sym('s-back', BACK)}${sym('f-back', BACK)}${sym('s-unknown', UNKNOWN)}${sym('f-unknown', UNKNOWN)}
    ${SUITS.map((s) => sym(`pip-${s}`, `<path d="${PIPS[s]}" fill="currentColor"/>`, '0 0 100 100')).join('')}
    ${sym('pip-k', `<path d="${STAR}" fill="currentColor"/>`, '0 0 100 100')}</svg>`;
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
const shortOf = (t: string): string => (t.length === 1 ? shownRank(t) : `${shownRank(t)}<svg class="pip ${t[1]}"><use href="#pip-${t[1]}"/></svg>`);
/** A card within a sentence. */
export function chip(c: string): string {
  const p = plain(c), s = suitOf(c);
  if (p === '?') return '<span class="ct">?</span>';
  if (p === 'Jk') return `<span class="ct k"><svg class="pip"><use href="#pip-k"/></svg>Joker${c.includes('=') ? ` as ${shortOf(c.split('=')[1])}` : ''}</span>`;
  return `<span class="ct ${s}">${shownRank(p)}<svg class="pip" aria-hidden="true"><use href="#pip-${s}"/></svg><span class="sign">${SIGNS[s]}</span></span>`;
}
/** Words of the referee, with its cards drawn. */
export function withCards(text: string): string {
  return text.replace(/\bJk(?:=(?:[2-9TJQKA][cdhs]?))?|\b[2-9TJQKA][cdhs]\b/g, (c) => chip(c));
}
