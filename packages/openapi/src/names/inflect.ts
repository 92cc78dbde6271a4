const unchanged = /(?:ss|us|is|news|series|status|analytics|settings|sms|dns|access|address|media|data|metadata|info)$/

/** `issues` → `issue`; a word that is no plural stays. */
export function singular(word: string): string {
  if (word.length < 4 || unchanged.test(word)) return word.endsWith('esses') ? word.slice(0, -2) : word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ch|sh|ss|x|zz)es$/.test(word)) return word.slice(0, -2)
  if (/(?:status|bus|alias|canvas)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

/** `issue` → `issues`; a plural stays. */
export function plural(word: string): string {
  if (isPlural(word) || unchanged.test(word)) return word
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`
  return /(?:ch|sh|s|x|z)$/.test(word) ? `${word}es` : `${word}s`
}

export function isPlural(word: string): boolean {
  return singular(word) !== word
}
