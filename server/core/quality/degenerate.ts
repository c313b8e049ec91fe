/** Answers that are no answers: empty, looping, or sliding into another script. */

const SHARE = 0.25;
const MIN_WORDS = 16;
const LONGEST_PERIOD = 16;

/** Whether the last half or more of the words is one phrase over and over, at least four times. */
function isLooping(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length < MIN_WORDS) return false;
  for (let period = 1; period <= LONGEST_PERIOD; period++) {
    let run = 0;
    for (let i = words.length - 1; i >= period && words[i] === words[i - period]; i--) run++;
    // `run` words repeat the period before them: with it they are run + period words of one loop.
    if (run >= 3 * period && run + period >= words.length / 2) return true;
  }
  return false;
}

const SCRIPTS: readonly [string, RegExp][] = [
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Devanagari', /\p{Script=Devanagari}/u],
  ['Thai', /\p{Script=Thai}/u],
  ['Hangul', /\p{Script=Hangul}/u],
  ['Han or Kana', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['replacement characters', /\uFFFD/u],
];

/** The script of most letters; null for too few to tell. */
function mainScript(text: string): string | null {
  const counts = new Map<string, number>();
  for (const character of text) {
    const script = SCRIPTS.find(([, pattern]) => pattern.test(character))?.[0];
    if (script) counts.set(script, (counts.get(script) ?? 0) + 1);
  }
  const [first] = [...counts].sort((a, b) => b[1] - a[1]);
  return first && first[1] >= 12 ? first[0] : null;
}

/** Whether an answer ends in another script than it begins with, or consists of undecodable bytes. */
function flipsLanguage(text: string): boolean {
  const middle = Math.floor(text.length / 2);
  const [early, late] = [mainScript(text.slice(0, middle)), mainScript(text.slice(middle))];
  return late === 'replacement characters' || (early !== null && late !== null && early !== late);
}

/**
 * Null where the answers look sane, else why not: more than a quarter of them is empty, loops, or flips.
 * A small model may loop by itself: compare with the baseline before blaming a technique.
 */
export function detectDegenerate(texts: readonly string[]): string | null {
  if (texts.length === 0) return null;
  const kinds: [string, (text: string) => boolean][] = [
    ['are empty', (text) => text.trim() === ''],
    ['repeat one phrase to their end', isLooping],
    ['change to another script', flipsLanguage],
  ];
  for (const [what, test] of kinds) {
    const count = texts.filter(test).length;
    if (count / texts.length > SHARE) return `${count} of ${texts.length} answers ${what}`;
  }
  return null;
}
