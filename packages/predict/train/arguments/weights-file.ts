/** The source text of `weights.ts`. */
export function weightsFile(weights: Readonly<Record<string, number>>): string {
  const lines = Object.entries(weights).map(([sign, value]) => `  ${/^\w+$/.test(sign) ? sign : `'${sign}'`}: ${value},`)
  return `/**
 * What each sign adds to the odds (as a logarithm) that a piece is a slot's value rather than none; learnt by \`train-arguments\`
 * from labelled prompts of several origins.
 */
export const WEIGHTS: Readonly<Record<string, number>> = {
${lines.join('\n')}
}
`
}
