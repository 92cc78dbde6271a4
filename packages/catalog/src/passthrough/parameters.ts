import type { Parameters } from '../types.ts'

/**
 * The same for every app. `body` is an object, because each parameter has one type and an object is what JSON and form APIs take; an API
 * that wants an array or plain text as its body needs a function of its own.
 */
export const passthroughParameters: Parameters = {
  type: 'object',
  properties: {
    method: { type: 'string', enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], default: 'GET', description: 'HTTP method of the request.' },
    url: {
      type: 'string',
      minLength: 1,
      description:
        "Path on the app's API server, beginning with / and with everything after the host name, or a full URL on one of the app's own hosts.",
    },
    query: { type: 'object', additionalProperties: true, description: 'Query parameters by name. An array repeats its name.' },
    headers: { type: 'object', additionalProperties: { type: 'string' }, description: 'Further request headers by name.' },
    body: {
      type: 'object',
      additionalProperties: true,
      description: 'Request body. It is sent as JSON, or as a form where the app takes forms or the content-type header says so.',
    },
  },
  required: ['url'],
}
