const MAX_MESSAGE = 160

type SyntaxProblem = { readonly message: string; readonly pos: readonly [number, number] }

/** What a YAML parser said, short enough for one line, with the remedy of what is done wrong most often: `path: /x/{id}` inside of braces. */
export function syntaxProblem(text: string, { message, pos: [at] }: SyntaxProblem): string {
  const hint = text[at] === '{' && /[^\s{[,"']/.test(text[at - 1] ?? ' ') ? ' (quote a text that holds braces)' : ''
  return (message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE - 1)}…` : message) + hint
}
