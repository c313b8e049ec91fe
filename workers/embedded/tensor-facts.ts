import { GgmlType, type GgufFileInfo } from 'node-llama-cpp';

/** Weight matrices of a GGUF file, as its header lists them. */
export interface TensorFacts {
  /** Type name → number of matrices (tensors of two or more dimensions). */
  matrixTypes: Record<string, number>;
  /** Matrices whose rows do not divide by 256: types with blocks of 256 cannot hold them. */
  unevenRows: { name: string; type: string; rowLength: number }[];
  matrices: number;
}

/** Block length of the K types and the i-quants of 256. */
const SUPER_BLOCK = 256;

export function tensorFacts(file: Pick<GgufFileInfo, 'fullTensorInfo'>): TensorFacts {
  const facts: TensorFacts = { matrixTypes: {}, unevenRows: [], matrices: 0 };
  for (const tensor of file.fullTensorInfo ?? []) {
    if (tensor.dimensions.length < 2) continue;
    const type = GgmlType[tensor.ggmlType] ?? `type ${tensor.ggmlType}`;
    const rowLength = Number(tensor.dimensions[0]);
    facts.matrices++;
    facts.matrixTypes[type] = (facts.matrixTypes[type] ?? 0) + 1;
    if (rowLength % SUPER_BLOCK !== 0) facts.unevenRows.push({ name: tensor.name, type, rowLength });
  }
  return facts;
}
