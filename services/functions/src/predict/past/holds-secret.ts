/** What keys, tokens and passwords look like, and what announces one. */
const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  // Prefixes that say so: Stripe and OpenAI, GitHub, Slack, AWS, Google, GitLab, npm.
  /\b(?:[srp]k[-_]|gh[oprsu]_|github_pat_|xox[a-z]-|xapp-|AKIA|ASIA|AIza|ya29\.|glpat-|npm_)[\w-]{8,}/,
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]+/,
  /\b(?:bearer|basic)\s+[\w+/.~-]{8,}/i,
  /\b(?:pass(?:word|wort|phrase|code)?|pwd|pin|cvv|cvc|secret|token|credentials?|api[ _-]?key|access[ _-]?key|private[ _-]?key|otp)\b\W{0,3}(?:is|are|was|to|as|of|=|:)\W{0,3}\S/i,
  // A user and a password in an address.
  /[a-z\d]:\/\/[^\s/@:]*:[^\s/@]+@/i,
  // Long and mixed: no word, and more than most numbers of things. From its first character on only: from each would take long.
  /(?<![\w+/=-])(?=[\w+/=-]*[a-z])(?=[\w+/=-]*[A-Z])(?=[\w+/=-]*\d)[\w+/=-]{20,}/,
  /\b(?=[a-f]*\d)[a-f\d]{32,}\b/i,
  // Cards and accounts.
  /\b\d(?:[ -]?\d){12,18}\b/,
  /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,}/,
]

/** Whether a prompt holds what looks like a secret. It errs on the side of yes: a prompt more or less teaches little. */
export function holdsSecret(prompt: string): boolean {
  return SECRETS.some((secret) => secret.test(prompt))
}
