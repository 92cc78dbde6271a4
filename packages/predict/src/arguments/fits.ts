import type { Fillable } from './types.ts'

/** Whether a value is valid for one parameter, whatever else the function's check finds missing. */
export function fits(check: Fillable['check'], parameter: string, value: unknown): boolean {
  return !check({ [parameter]: value }).some((problem) => [':', '.', '['].some((next) => problem.startsWith(parameter + next)))
}
