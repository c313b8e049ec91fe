'use client';

import { Download } from 'lucide-react';
import { Button } from '@/app/_ui/button';
import { CopyButton } from '@/app/_ui/copy-button';
import { download } from '@/app/_ui/download';
import { ScrollRegion } from '@/app/_ui/scroll-region';

/** One file with its text, to copy or to download. */
export function ExportedFile({ path, content }: { path: string; content: string }) {
  return (
    <section aria-label={path} className="grid gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="mono mr-auto min-w-0 [overflow-wrap:anywhere]">{path}</h3>
        <CopyButton text={content} />
        <Button size="sm" onClick={() => download(path.split('/').at(-1) ?? path, content)}>
          <Download aria-hidden /> Download
        </Button>
      </div>
      <ScrollRegion label={`Text of ${path}`} className="max-h-[50vh] overflow-auto rounded-md bg-grid">
        <pre className="px-3 py-2 leading-5">{content}</pre>
      </ScrollRegion>
    </section>
  );
}
