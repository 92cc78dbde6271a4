/** The sentences of a prompt; what is shorter than a word is none. */
export function sentences(prompt: string): string[] {
  return prompt
    .split(/(?<=[.?!])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 3)
}
