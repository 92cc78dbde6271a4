import type { FromSchema } from 'json-schema-to-ts'
import { endpoint } from '../endpoint.ts'
import { listCursor, pageSize, pageSizeRange } from '../parts.ts'
import { arrayOf, object } from '../schemas.ts'
import { functionMeta, parameterMeta } from './meta.ts'
import { appFilters, include, timeZone, variables } from './parts.ts'
import { format, tools } from './tools.ts'

export const functionTypes = ['QUERY', 'ACTION', 'PASSTHROUGH'] as const

/**
 * The shapes that an object may have, which a form offers as a choice: a shape has no property that only other shapes name. `values` are those
 * that show which shape it is. Arguments are not refused for it.
 */
const alternatives = arrayOf(
  object(
    { title: { type: 'string' }, properties: arrayOf({ type: 'string' }) },
    { values: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } } },
  ),
)

export type Alternative = FromSchema<typeof alternatives>[number]

const functionRequired = {
  name: { type: 'string' },
  title: { type: 'string' },
  app: { type: 'string' },
  type: { type: 'string', enum: functionTypes },
  description: { type: 'string' },
  parameters: {
    type: 'object',
    required: ['type', 'properties', 'required'],
    properties: {
      type: { type: 'string', const: 'object' },
      properties: {
        type: 'object',
        additionalProperties: {
          type: 'object',
          required: ['type', 'description'],
          properties: {
            type: { type: 'string' },
            nullable: { type: 'boolean', description: 'Whether the value may be null, in addition to its type and its enum.' },
            description: { type: 'string' },
            alternatives,
            meta: parameterMeta,
          },
        },
      },
      required: arrayOf({ type: 'string' }),
      alternatives,
    },
  },
} as const

const functionOptional = { arguments: { type: 'object', additionalProperties: true }, meta: functionMeta } as const

/** A function. `arguments` is present when a prompt or `_variables` was sent. */
export const functionItem = object(functionRequired, functionOptional)

export type FunctionItem = FromSchema<typeof functionItem>

const exampleFunction = {
  name: 'addressbook-get-contact',
  title: 'Get contact',
  app: 'addressbook',
  type: 'QUERY',
  description: 'Gets one contact by its id.',
  parameters: {
    type: 'object',
    properties: { contact_id: { type: 'number', description: 'Id of the contact.' } },
    required: ['contact_id'],
  },
} as const

/** With `format`, the items are tools in the vendor's form and contain nothing else, so that they can be passed to its API. */
export const listFunctions = endpoint({
  method: 'post',
  path: '/functions/list',
  access: { role: 'viewer', in: ['app_key'] },
  action: null,
  summary: 'List functions.',
  query: {
    type: 'object',
    properties: {
      ...appFilters,
      type: { type: 'string', enum: functionTypes },
      _cursor: { type: 'string' },
      include,
      format,
      search: { type: 'string' },
      page_size: pageSize,
      allow_workspace_connected_accounts: { type: 'boolean' },
    },
  },
  anyCase: ['type'],
  body: {
    type: 'object',
    properties: { _cursor: listCursor, search: { type: 'string' }, page_size: pageSizeRange },
  },
  errors: ['app_not_found'],
  response: object({ functions: arrayOf({ type: 'object', anyOf: [functionItem, ...tools] }), _cursor: listCursor }),
  examples: [
    {
      summary: 'Functions of an app that match a search',
      query: { app: 'addressbook', search: 'by its id' },
      body: { page_size: 20 },
      response: { functions: [exampleFunction], _cursor: null },
    },
    {
      summary: 'Functions as tools for a language model',
      query: { app: 'addressbook', search: 'by its id', format: 'anthropic' },
      body: {},
      response: {
        functions: [
          {
            name: 'addressbook-get-contact',
            description: 'Gets one contact by its id.',
            input_schema: { ...exampleFunction.parameters, additionalProperties: false },
          },
        ],
        _cursor: null,
      },
    },
  ],
})

const predictedItem = object({ ...functionRequired, confidence: { type: 'number', minimum: 0, maximum: 1 } }, functionOptional)

const ranked = object({ name: { type: 'string' }, confidence: predictedItem.properties.confidence })

/**
 * What else there is to say of a prompt. `path`: whether the choice of a model server decided; present if one is configured, and with
 * `explain`. `explained`: the functions that the model could choose from, and what it cost; zero requests if its choice was cached. `next`: functions for what the prompt asks for after its first request. `refused`: why no function
 * fits, with the nearest functions if `top_k` was sent. Its `reason` is `no_such_app` if the prompt names a `product` that is not an app of
 * the catalog, `no_such_operation` if the app has no such function, `unclear`, or `out_of_scope`.
 */
const predictionMeta = object(
  {},
  {
    path: { type: 'string', enum: ['offline', 'model'] },
    explained: object({
      offered: { type: 'array', maxItems: 200, items: { type: 'string' } },
      requests: { type: 'integer', minimum: 0 },
      prompt_tokens: { type: 'integer', minimum: 0 },
      completion_tokens: { type: 'integer', minimum: 0 },
    }),
    next: arrayOf(ranked),
    refused: object(
      { reason: { type: 'string', enum: ['no_such_app', 'no_such_operation', 'unclear', 'out_of_scope'] } },
      { product: { type: 'string' }, nearest: { type: 'array', maxItems: 3, items: ranked } },
    ),
  },
)

const topK = { type: 'integer', minimum: 1, maximum: 20 } as const

/**
 * Returns the best function or the `top_k` best ones, best first; none when no function fits, and `meta.refused` says why. With `format`, the
 * items of `functions` are only tools. Then the response itself has `confidence` and `arguments` of the best function, and `predictions` has both
 * for each function.
 */
export const predictFunction = endpoint({
  method: 'post',
  path: '/functions/predict',
  access: { role: 'viewer', in: ['app_key'] },
  action: null,
  summary: 'Find the most relevant function for a prompt, optionally with its arguments.',
  query: {
    type: 'object',
    properties: { ...appFilters, include, format, predict_arguments: { type: 'boolean' }, top_k: topK, explain: { type: 'boolean' } },
  },
  body: {
    type: 'object',
    required: ['prompt'],
    properties: {
      prompt: { type: 'string', minLength: 1, maxLength: 10_000 },
      _variables: variables,
      predict_arguments: { type: ['boolean', 'null'] },
      time_zone: timeZone,
      top_k: { ...topK, type: ['integer', 'null'] },
    },
  },
  numbers: 'nearest',
  errors: ['app_not_found'],
  response: object(
    {
      functions: {
        type: 'array',
        maxItems: 20,
        items: { type: 'object', anyOf: [predictedItem, ...tools] },
      },
    },
    {
      confidence: predictedItem.properties.confidence,
      arguments: functionItem.properties.arguments,
      meta: predictionMeta,
      predictions: {
        type: 'array',
        maxItems: 20,
        items: object({ confidence: predictedItem.properties.confidence }, { arguments: functionItem.properties.arguments }),
      },
    },
  ),
  examples: [
    {
      summary: 'A function and its arguments',
      query: { predict_arguments: true },
      body: { prompt: 'Show contact 42' },
      response: { functions: [{ ...exampleFunction, arguments: { contact_id: 42 }, confidence: 0.98 }] },
    },
  ],
})

/** With `app` or `connected_only`, a function of another app is not found. */
export const getFunction = endpoint({
  method: 'post',
  path: '/functions/:function_name/get',
  access: { role: 'viewer', in: ['app_key'] },
  action: null,
  summary: 'Get the schema of one function, optionally with predicted or variable-mapped arguments.',
  query: { type: 'object', properties: { ...appFilters, include, format } },
  body: {
    type: 'object',
    properties: { prompt: { type: ['string', 'null'], maxLength: 10_000 }, _variables: variables, time_zone: timeZone },
  },
  numbers: 'nearest',
  errors: ['function_not_found'],
  response: { type: 'object', anyOf: [functionItem, ...tools] },
  examples: [
    {
      summary: 'A function with arguments for a prompt',
      params: { function_name: 'addressbook-get-contact' },
      body: { prompt: 'Show contact 42' },
      response: { ...exampleFunction, arguments: { contact_id: 42 } },
    },
  ],
})
