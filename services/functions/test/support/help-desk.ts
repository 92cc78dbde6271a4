/** An OpenAPI document of a help desk: with two servers, an operation with two parameters of one name, and an unreadable operation. */
export const HELP_DESK = `openapi: 3.1.0
info: { title: Help desk, version: '1' }
servers:
  - url: https://example.com
  - url: https://{team}.helpdesk.dev/v2
    variables: { team: { default: acme, description: Your team. } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Desk-Key }
security: [{ key: [] }]
paths:
  /tickets:
    get: { operationId: listTickets, summary: List tickets }
    post:
      operationId: createTicket
      parameters: [{ name: kind, in: query, schema: { type: string } }, { name: kind, in: header, schema: { type: string } }]
  /tickets/{id}:
    delete: { operationId: deleteTicket }
    get: { $ref: 'other.yaml#/ticket' }
    put: { operationId: replaceTicket, deprecated: true }
`
