/** Why something failed, in a line. For a name with several addresses Node collects the failures and leaves the message empty. */
export function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  const message = first instanceof Error ? first.message : String(first)
  return message.split('\n')[0] ?? message
}
