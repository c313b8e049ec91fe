/** Stands for a dollar in single quotes while others are expanded; from Unicode's private use area. */
export const LITERAL_DOLLAR = '\uE024';
export const plainDollars = (text: string): string => text.replaceAll(LITERAL_DOLLAR, '$');

const REFERENCE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g;

export interface Expanded {
  text: string;
  /** Names that were replaced. */
  used: string[];
}

/** The longest that a word may grow to by what its variables hold. */
const MAX_EXPANDED = 20_000;

/** Puts the values of variables that are known in the place of `$NAME` and `${NAME}`; everything else stays. */
export function expandVariables(text: string, variables: Readonly<Record<string, string>>): Expanded {
  const used: string[] = [];
  let length = text.length;
  const expanded = text.replace(REFERENCE, (written, bare: string | undefined, braced: string | undefined) => {
    const name = bare ?? braced ?? '';
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined || length + value.length > MAX_EXPANDED) return written;
    length += value.length;
    used.push(name);
    return value;
  });
  return { text: expanded, used };
}

const UNKNOWN = /\$(?:[A-Za-z_]\w{0,200}|\{[^}]{0,200}\}|\([^)]{0,200}\))|`[^`]{0,200}`/g;

/** Variables and commands that a shell would fill in and that the text does not define. */
export const unknownReferences = (text: string): string[] => text.match(UNKNOWN) ?? [];
