import { Template } from '@huggingface/jinja';
import type { ChatMessage } from './http/completion-request';

export interface ChatTemplate {
  /** The model's own Jinja template, or this engine's plain format. */
  source: 'gguf' | 'plain';
  render(messages: readonly ChatMessage[]): string;
}

/**
 * The GGUF's `tokenizer.chat_template` if it has one. Without one, the plain format: each message as
 * `role: content` on a line of its own, then `assistant:`.
 */
export function chatTemplate(
  template: string | undefined,
  special: { bos: string | null; eos: string | null },
): ChatTemplate {
  if (!template) {
    return {
      source: 'plain',
      render: (messages) => `${messages.map((m) => `${m.role}: ${m.content}\n`).join('')}assistant:`,
    };
  }
  const jinja = new Template(template);
  return {
    source: 'gguf',
    render: (messages) =>
      jinja.render({
        messages: messages.map(({ role, content }) => ({ role, content })),
        add_generation_prompt: true,
        bos_token: special.bos ?? '',
        eos_token: special.eos ?? '',
      }),
  };
}
