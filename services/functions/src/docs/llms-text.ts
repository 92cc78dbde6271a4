import { functionsOpenApi, insightsOpenApi, type OpenApiDocument } from '@onward/contract'

/** Returns the text for language models (llmstxt.org): what Onward is, every operation, and where the details are. */
export function llmsText(base: string): string {
  return `# Onward

> Onward calls functions of third-party apps on behalf of an application's users, with each user's own stored credentials, and counts
> the calls. Area A lists, predicts and calls functions. Area B reads usage, sets limits and manages webhooks.

- Area A is authenticated by the headers App-Key, User-ID and Hash. Hash is HMAC-SHA256 of the User-ID with the application secret, in
  hexadecimal. Requests are made by the server of the application, because the secret must stay there.
- Area B is authenticated by the header api-key.
- To call an action safely more than once, send an Idempotency-Key.
- An error body has error, error_details, code and request_id. Switch on code.

## Reference

- [OpenAPI document of area A](${base}/docs/functions.json): schemas, headers, errors and examples of every operation
- [OpenAPI document of area B](${base}/docs/insights.json): the same, and the webhooks
- [Errors](${base}/docs/errors): what each error code means, and what to do
- [Hash](${base}/docs/hash): programs that compute the header Hash in six languages, and what is usually wrong
- [MCP clients](${base}/docs/mcp): how users let programs such as Claude Code act for them, and three ways to sign them in

## Operations of area A

${operations(functionsOpenApi)}

## Operations of area B

${operations(insightsOpenApi)}
`
}

function operations({ paths }: OpenApiDocument): string {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => `- ${method.toUpperCase()} ${path}: ${(operation as { summary: string }).summary}`,
      ),
    )
    .join('\n')
}
