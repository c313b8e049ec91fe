import { type ClassValue, clsx } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

const merge = extendTailwindMerge({ extend: { theme: { text: ['2xs', 'title'] } } });

/** Joins class names; a later Tailwind class wins over an earlier one of the same kind. */
export const cn = (...classes: ClassValue[]): string => merge(clsx(classes));
