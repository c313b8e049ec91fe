'use client';

import { FileUp } from 'lucide-react';
import { type ChangeEvent, useRef } from 'react';
import { Button } from '@/app/_ui/button';
import { Field } from '@/app/_ui/field';
import { Input } from '@/app/_ui/input';

interface ByFileProps {
  text: string;
  onText: (text: string) => void;
  onFile: (file: File) => void;
}

/** A file of this computer, or the text of one. */
export function DescribeByFile({ text, onText, onFile }: ByFileProps) {
  const input = useRef<HTMLInputElement>(null);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (file) onFile(file);
    // The same file may be chosen again, once it is mended.
    target.value = '';
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <input
          ref={input}
          type="file"
          accept=".json,.gguf"
          aria-label="Model file"
          tabIndex={-1}
          className="sr-only"
          onChange={choose}
        />
        <Button onClick={() => input.current?.click()}>
          <FileUp aria-hidden /> Open a file
        </Button>
        <span className="text-dim">config.json or GGUF</span>
      </div>
      <Field label="Or paste a config.json" hint="Facts that “inferloom describe” printed are taken too.">
        {(ids) => (
          <textarea
            {...ids}
            className="mono min-h-40 w-full rounded-md border border-line-strong bg-panel p-2 text-xs"
            spellCheck={false}
            value={text}
            onChange={({ target }) => onText(target.value)}
          />
        )}
      </Field>
    </>
  );
}

interface ByPlaceProps {
  place: string;
  onPlace: (place: string) => void;
}

/** A repository, or the address of a file. */
export function DescribeByPlace({ place, onPlace }: ByPlaceProps) {
  return (
    <Field
      label="Repository or address"
      hint="The page of a repository, or the address of a config.json or GGUF file, does too."
    >
      {(ids) => (
        <Input
          {...ids}
          className="mono"
          placeholder="owner/name"
          autoComplete="off"
          spellCheck={false}
          value={place}
          onChange={({ target }) => onPlace(target.value)}
        />
      )}
    </Field>
  );
}
