import { z } from 'zod';
import table from './claims.json';

const sourceSchema = z.object({ label: z.string().min(1), url: z.url({ protocol: /^https$/ }) });

/** A figure that somebody published, with the conditions under which it holds. */
const measurementSchema = z.object({
  text: z.string().min(1),
  source: sourceSchema,
});

/** How a well-known claim stands beside what was measured. */
const CLAIM_STANDINGS = ['holds', 'under-conditions', 'overstated', 'arithmetic'] as const;
export type ClaimStanding = (typeof CLAIM_STANDINGS)[number];

const claimSchema = z.object({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  claim: z.string().min(1),
  /** Where it is usually read. */
  saidBy: z.array(sourceSchema).min(1),
  /** Node types that it is about. */
  techniques: z.array(z.string()).min(1),
  /** Empty: nobody published a comparable measurement; the note says what can be said all the same. */
  measured: z.array(measurementSchema),
  standing: z.enum(CLAIM_STANDINGS),
  note: z.string().min(1),
});
export type Claim = Readonly<z.infer<typeof claimSchema>>;

/** The claims ledger: what is often said, what was measured, and our reading of the difference. */
export const CLAIMS: readonly Claim[] = z.array(claimSchema).parse(table.claims);
