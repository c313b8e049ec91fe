import type { ComponentProps } from 'react';

/** A box that scrolls inside the page. It can be reached by keyboard, as a scrolling region must be. */
export function ScrollRegion({ label, ...rest }: ComponentProps<'section'> & { label: string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
  return <section aria-label={label} tabIndex={0} {...rest} />;
}
