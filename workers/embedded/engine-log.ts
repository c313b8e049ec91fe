export interface LogLine {
  section: string;
  level: string;
  text: string;
}

const NOISE = /^(\.+|llama_model_loader: - kv|create_tensor:|load_tensors: layer|graph_reserve:|resolve_fused_ops:)/;

/** Keeps what llama.cpp logs, by section (target, draft), since the reason of a failed load stands only there. */
export class EngineLog {
  readonly lines: LogLine[] = [];
  private section = 'start';
  private lastAt = 0;

  constructor(private readonly write: (line: string) => void) {}

  add(level: string, message: string): void {
    this.lastAt = performance.now();
    for (const text of message.split('\n')) {
      const line = text.trimEnd();
      if (line === '') continue;
      if (this.lines.length < 4000) this.lines.push({ section: this.section, level, text: line });
      if (level !== 'debug' && !NOISE.test(line)) this.write(line);
    }
  }

  /** Lines arrive a little after the call that caused them: waits until 20 ms brought none, then opens a section. */
  async startSection(name: string): Promise<void> {
    await this.settle();
    this.section = name;
  }

  async settle(): Promise<void> {
    const started = performance.now();
    this.lastAt = Math.max(this.lastAt, started);
    while (performance.now() - this.lastAt < 20 && performance.now() - started < 1000)
      await new Promise((resolve) => setTimeout(resolve, 5));
  }

  textOf(section: string): string[] {
    return this.lines.filter((l) => l.section === section).map((l) => l.text);
  }

  /** The reason of a failure: the last errors and warnings, oldest first. */
  reasons(): string[] {
    return this.lines
      .filter((l) => l.level === 'error' || l.level === 'fatal' || l.level === 'warn')
      .slice(-5)
      .map((l) => l.text);
  }
}
