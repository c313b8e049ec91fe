import { parser } from '@lezer/python';

type Node = ReturnType<typeof parser.parse>['topNode'];

/** A value of a call as far as its text tells; an expression that would have to be run stays as it is written. */
export type PythonValue =
  | { kind: 'value'; value: unknown }
  | { kind: 'call'; name: string; keywords: Map<string, PythonValue>; positional: PythonValue[] }
  | { kind: 'text'; text: string };

export interface PythonCall {
  /** Dotted name, `AutoModelForCausalLM.from_pretrained`. */
  name: string;
  positional: PythonValue[];
  keywords: Map<string, PythonValue>;
}

/** Expressions nest a few levels; deeper ones stay text. */
const MAX_DEPTH = 20;
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
};

/** Text of a string literal; null for bytes and formatted strings. */
function stringOf(literal: string): string | null {
  const [, prefix = '', quote = '', body] = /^([a-zA-Z]*)('''|"""|'|")([\s\S]*)\2$/.exec(literal) ?? [];
  if (body === undefined || quote === '' || /[bf]/i.test(prefix)) return null;
  return /r/i.test(prefix) ? body : body.replace(/\\([\s\S])/g, (written, char: string) => ESCAPES[char] ?? written);
}

function children(node: Node): Node[] {
  const found: Node[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child);
  return found;
}

const PUNCTUATION = ['(', ')', '[', ']', '{', '}', ',', ':', 'Comment'];
const parts = (node: Node): Node[] => children(node).filter(({ name }) => !PUNCTUATION.includes(name));

/** Reads a script's calls, with variables that hold plain values filled in. Nothing is run. */
export class PythonScript {
  readonly calls: PythonCall[] = [];
  /** Errors of the grammar: how often the text was no Python. */
  faults = 0;
  private readonly variables = new Map<string, PythonValue>();

  /** `wanted`: names of the calls that are read; others are passed by. */
  constructor(
    private readonly text: string,
    private readonly wanted: RegExp,
  ) {
    const cursor = parser.parse(text).cursor();
    do {
      const node = cursor.node;
      if (node.type.isError) this.faults += 1;
      else if (node.name === 'AssignStatement') this.assign(node);
      else if (node.name === 'CallExpression' && this.isWanted(node)) this.calls.push(this.call(node, 0));
    } while (cursor.next());
  }

  private isWanted(node: Node): boolean {
    return node.firstChild !== null && this.wanted.test(this.written(node.firstChild).slice(-80));
  }

  private written(node: Node): string {
    return this.text.slice(node.from, node.to);
  }

  private assign(node: Node): void {
    const [target, operator, value, ...others] = parts(node);
    if (target?.name !== 'VariableName' || operator?.name !== 'AssignOp' || value === undefined || others.length > 0)
      return;
    this.variables.set(this.written(target), this.value(value, 0));
  }

  private call(node: Node, depth: number): PythonCall {
    const [callee, list] = children(node);
    const call: PythonCall = {
      name: callee === undefined ? '' : this.written(callee),
      positional: [],
      keywords: new Map(),
    };
    const words = list === undefined ? [] : parts(list);
    for (let i = 0; i < words.length; i++) {
      const [word, next, value] = words.slice(i, i + 3);
      if (word === undefined) break;
      if (next?.name === 'AssignOp' && value !== undefined) {
        call.keywords.set(this.written(word), this.value(value, depth + 1));
        i += 2;
      } else call.positional.push(this.value(word, depth + 1));
    }
    return call;
  }

  private value(node: Node, depth: number): PythonValue {
    const text = this.written(node);
    const asText: PythonValue = { kind: 'text', text };
    if (depth > MAX_DEPTH) return asText;
    switch (node.name) {
      case 'String': {
        const string = stringOf(text);
        return string === null ? asText : { kind: 'value', value: string };
      }
      case 'ContinuedString': {
        const strings = parts(node).map((part) => stringOf(this.written(part)));
        return strings.includes(null) ? asText : { kind: 'value', value: strings.join('') };
      }
      case 'Number':
      case 'UnaryExpression': {
        const number = Number(text.replaceAll('_', ''));
        return Number.isNaN(number) ? asText : { kind: 'value', value: number };
      }
      case 'Boolean':
        return { kind: 'value', value: text === 'True' };
      case 'None':
        return { kind: 'value', value: null };
      case 'VariableName':
        return this.variables.get(text) ?? asText;
      case 'CallExpression':
        return { kind: 'call', ...this.call(node, depth) };
      case 'ArrayExpression':
      case 'TupleExpression':
        return this.list(node, depth);
      case 'DictionaryExpression':
        return this.dictionary(node, depth);
      default:
        return asText;
    }
  }

  private list(node: Node, depth: number): PythonValue {
    const items = parts(node).map((part) => this.value(part, depth + 1));
    const plain = items.flatMap((item) => (item.kind === 'value' ? [item.value] : []));
    return plain.length === items.length ? { kind: 'value', value: plain } : { kind: 'text', text: this.written(node) };
  }

  private dictionary(node: Node, depth: number): PythonValue {
    const items = parts(node).map((part) => this.value(part, depth + 1));
    const plain = items.flatMap((item) => (item.kind === 'value' ? [item.value] : []));
    if (plain.length !== items.length || plain.length % 2 === 1) return { kind: 'text', text: this.written(node) };
    const entries = plain.flatMap((key, i) => (i % 2 === 0 ? [[String(key), plain[i + 1]] as const] : []));
    return { kind: 'value', value: Object.fromEntries(entries) };
  }
}

/** A call's keyword arguments as plain values, nested calls as records; and those that are no plain values. */
export function plainKeywords(keywords: ReadonlyMap<string, PythonValue>): {
  values: Record<string, unknown>;
  others: string[];
} {
  const values: [string, unknown][] = [];
  const others: string[] = [];
  for (const [name, value] of keywords) {
    if (value.kind === 'value') values.push([name, value.value]);
    else if (value.kind === 'text') {
      const dtype = /^torch\.(\w+)$/.exec(value.text)?.[1];
      if (dtype !== undefined) values.push([name, dtype]);
      else others.push(`${name}=${value.text}`);
    } else {
      const inner = plainKeywords(value.keywords);
      values.push([name, inner.values]);
      others.push(...inner.others.map((other) => `${name}.${other}`));
    }
  }
  return { values: Object.fromEntries(values), others };
}
