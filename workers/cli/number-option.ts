import { InvalidArgumentError } from 'commander';

/** A number within bounds for a commander option. @throws InvalidArgumentError, which ends the program with 2 */
export function readNumberOption(text: string, min: number, max: number): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= min && value <= max)) {
    throw new InvalidArgumentError(`a number from ${min} to ${max} is expected.`);
  }
  return value;
}

/** The same for whole numbers. */
export function readCountOption(text: string, min: number, max: number): number {
  const value = readNumberOption(text, min, max);
  if (!Number.isInteger(value)) throw new InvalidArgumentError('a whole number is expected.');
  return value;
}
