// Standings over the games that the device keeps: totals over an evening, places over a season.
import { type Game, type Points, winnerOf } from "./sheet.ts";

/** A game that was played: when, by whom, what each hand brought, and who has won it. */
export interface Played {
  day: string;
  names: string[];
  hands: Points[][];
  winners: string[];
}

/** What a player did over some games. */
export interface Record {
  name: string;
  games: number;
  wins: number;
  hands: number;
  points: number;
}

/** A line of a chart: a value at each place, null where there is none. */
export interface Run {
  name: string;
  values: (number | null)[];
}

/** The games of one day, in their order. */
export interface Evening {
  day: string;
  games: Played[];
}

/** A game of the device as it counts in standings. */
export function playedOf(game: Game): Played {
  const winner = winnerOf(game);
  return { day: game.begun, names: game.names, hands: game.hands, winners: winner === null ? [] : [game.names[winner]!] };
}

/** The games by their day, the earliest first. */
export function eveningsOf(games: Played[]): Evening[] {
  const days = new Map<string, Played[]>();
  for (const game of games) days.set(game.day, [...(days.get(game.day) ?? []), game]);
  return [...days].map(([day, of]) => ({ day, games: of })).sort((one, other) => (one.day < other.day ? -1 : 1));
}

/** The standings over some games: more games won first, then more points, then by name. */
export function recordsOf(games: Played[]): Record[] {
  const records = new Map<string, Record>();
  for (const game of games) {
    game.names.forEach((name, seat) => {
      const before = records.get(name) ?? { name, games: 0, wins: 0, hands: 0, points: 0 };
      records.set(name, {
        name,
        games: before.games + 1,
        wins: before.wins + (game.winners.includes(name) ? 1 : 0),
        hands: before.hands + game.hands.filter((hand) => hand[seat] !== null).length,
        points: before.points + game.hands.reduce((sum, hand) => sum + (hand[seat] ?? 0), 0),
      });
    });
  }
  const order = (one: Record, other: Record) => other.wins - one.wins || other.points - one.points || (one.name < other.name ? -1 : 1);
  return [...records.values()].sort(order);
}

/** The total of each player over an evening, hand by hand, through all of its games. */
export function totalsOver(games: Played[]): Run[] {
  const names = [...new Set(games.flatMap((game) => game.names))];
  return names.map((name) => {
    let sum = 0;
    const values: (number | null)[] = [0];
    for (const game of games) {
      const seat = game.names.indexOf(name);
      for (const hand of game.hands) values.push((sum += seat < 0 ? 0 : (hand[seat] ?? 0)));
    }
    return { name, values };
  });
}

/** The place of each player in the standings after each evening; none before their first. */
export function placesOver(evenings: Evening[]): Run[] {
  const tables = evenings.map((_, last) => recordsOf(evenings.slice(0, last + 1).flatMap((evening) => evening.games)));
  const names = tables.at(-1)?.map((record) => record.name) ?? [];
  return names.map((name) => ({
    name,
    values: tables.map((table) => {
      const place = table.findIndex((record) => record.name === name);
      return place < 0 ? null : place + 1;
    }),
  }));
}

/** A day as people say it: 28 November 2026; what is no day stays as it is. */
export function sayDay(day: string): string {
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T12:00:00`) : null;
  if (moment === null || Number.isNaN(moment.getTime())) return day;
  return new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" }).format(moment);
}

/** The standings as CSV. */
export function recordsCsv(records: Record[]): string {
  const rows = records.map(({ name, games, wins, hands, points }) => [name, games, wins, hands, points]);
  return [["player", "games", "wins", "hands", "points"], ...rows].map((row) => row.join(",") + "\r\n").join("");
}
