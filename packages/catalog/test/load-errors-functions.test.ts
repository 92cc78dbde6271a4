import { parameters, problemsOf, required, sampleText } from './sample-app.ts'

const files = { file: { description: 'The file.' } }
const post = { method: 'POST', path: '/run' }
const graphql = 'query { a { b } }'
const api = { base_url: 'https://api.example.com', hosts: ['files.example.com'] }

describe('the load errors of functions', () => {
  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['a file in JSON', { files, request: { ...post, body: { f: '{file}' } } }, 'request.body.f: {file} is a file, which can only be'],
    ['a file in the query', { files, request: { ...post, query: { f: '{file}' } } }, 'request.query.f: {file} is a file'],
    ['a file inside text', multipart({ f: 'x{file}' }), 'request.body.f: {file} is a file'],
    ['a file below a part', multipart({ f: { g: '{file}' } }), 'request.body.f.g: {file} is a file'],
    [
      'a destructive QUERY',
      { type: 'QUERY', destructive: true, request: { method: 'GET', path: '/run' } },
      'destructive: cannot be true for a QUERY',
    ],
    ['an unknown field to empty', { request: post, clear: { a: null } }, 'clear.a: is not a parameter'],
    [
      'a required field to empty',
      { ...required({ a: 'string' }), request: { ...post, body: { a: '{a}' } }, clear: { a: null } },
      'clear.a: is required, so that no call can empty it',
    ],
    [
      'a parameter named clear',
      { ...parameters({ clear: 'string' }), request: { ...post, body: { a: '{clear}' } }, clear: { clear: null } },
      'clear: is a parameter already',
    ],
    ['attachments that are no file', mail({ attachments: 'file' }), 'request.mail.attachments: must be the tag of a file'],
    ['an unknown tag in a mail', mail({ text: '{b}' }), 'request.mail.text: {b} is neither'],
    ['a form with a mail', mail({}, { body_type: 'form' }), 'request.body_type: cannot be combined with mail'],
    ['a content type of a mail', mail({}, { headers: { 'Content-Type': 'x' } }), 'is set by the mail body'],
    ['GraphQL with a mail', mail({}, { graphql }), 'request.mail: cannot be combined with graphql'],
    ['an unused file', { files, request: post }, 'files.file: is not used in request'],
    ['a file without text', { files: { file: {} }, request: post }, 'files.file: needs a description'],
    ['a file named as a parameter', { files, ...parameters({ file: 'string' }), request: post }, 'files.file: is a parameter already'],
    ['a reserved file name', { files: JSON.parse('{"_cursor": {"description": "x"}}'), request: post }, '_cursor: is a reserved name'],
    ['multipart that is no map', multipart('{file}'), 'request.body: must be an object here'],
    ['a content type of multipart', multipart({ f: '{file}' }, { headers: { 'Content-Type': 'x' } }), 'is set by the multipart body'],
    ['a content type of raw', raw('{a}', { headers: { 'content-type': 'x' } }), 'headers.content-type: is set by the raw body'],
    ['content_type without raw', { request: { ...post, content_type: 'text/csv' } }, 'request.content_type: is only for body_type raw'],
    ['a raw map', raw({ a: '{a}' }), 'request.body: must be text here'],
    ['an exploded raw tag', raw('{a*}'), 'request.body: a tag with * is only allowed in query'],
    ['pages in a raw body', { ...raw('{a}'), paging: { style: 'page', parameter: 'p', in: 'body' } }, 'paging cannot be in a raw body'],
    ['pages in an array', { request: { ...post, body: [1] }, paging: { style: 'page', parameter: 'p', in: 'body' } }, 'must be an object'],
    [
      'pages in null',
      { request: { ...post, body: null }, paging: { style: 'page', parameter: 'p', in: 'body' } },
      'must be an object here',
    ],
    ['an unknown host', { request: { ...post, host: 'evil.example' } }, "request.host: evil.example is not one of the app's hosts"],
    ['the own host', { request: { ...post, host: 'api.example.com' } }, "request.host: api.example.com is not one of the app's hosts"],
    ['a tag in a JSON header', { request: { ...post, headers: { A: { b: '{c}' } } } }, 'request.headers.A.b: {c} is neither'],
    ['a number as a header', { request: { ...post, headers: { A: 5 } } }, 'request.headers.A: must be string,object,array'],
    ['GraphQL by GET', { request: { method: 'GET', path: '/run', graphql } }, 'request.method: must be POST for GraphQL'],
    ['GraphQL with a body', { request: { ...post, graphql, body: {} } }, 'request.body: cannot be combined with graphql'],
    ['GraphQL as a form', { request: { ...post, graphql, body_type: 'form' } }, 'request.body_type: cannot be combined with graphql'],
    ['variables alone', { request: { ...post, variables: {} } }, 'request.variables: needs graphql'],
    ['a tag in variables', { request: { ...post, graphql, variables: { a: '{b}' } } }, 'request.variables.a: {b} is neither'],
    [
      'a parameter that only the document names',
      { ...parameters({ b: 'string' }), request: { ...post, graphql: '{ a {b} }' } },
      'parameters.properties.b: is not used',
    ],
    [
      'a variable that paging sets',
      { request: { ...post, graphql, variables: { after: 'x' } }, paging: { style: 'relay', connection: '/a' } },
      'request.variables.after: is set by paging',
    ],
    ['relay without GraphQL', { request: post, paging: { style: 'relay', connection: '/a' } }, 'paging: is only for GraphQL requests'],
    ['in of a whole URL', { paging: { style: 'next_url', next: '/n', in: 'body' } }, 'paging.in: is only for next_url with parameters'],
    [
      'request of a whole URL',
      { paging: { style: 'next_url', next: '/n', request: { path: '/x' } } },
      'request: is only for next_url with parameters',
    ],
    [
      'paging without its tag',
      { paging: { style: 'offset', parameter: 'from', in: 'template' } },
      'paging.parameter: {from} is not used in request',
    ],
    [
      'a tag of paging that is a parameter',
      {
        ...parameters({ from: 'integer' }),
        request: { ...post, query: { q: '{from}' } },
        paging: { style: 'offset', parameter: 'from', in: 'template' },
      },
      'paging: from is a parameter of the function',
    ],
    [
      'several tags of paging',
      { paging: { style: 'fields', parameters: { a: '/a' }, in: 'template' } },
      'paging.in: must be one of query, body',
    ],
    [
      'a bad request of later pages',
      { paging: { style: 'page', parameter: 'p', request: { path: '/{x}' } } },
      'paging.request.path: {x} is neither',
    ],
    ['no parameters of link', { paging: { style: 'link' } }, 'paging: needs a parameters'],
    [
      'a key that link sets',
      { request: { ...post, query: { p: 1 } }, paging: { style: 'link', parameters: ['p'] } },
      'p: is set by paging',
    ],
    ['an ACTION that may be sent again', { type: 'ACTION', safe_to_retry: true }, 'safe_to_retry: cannot be true for an ACTION'],
  ])('include %s', (_what, fn, expected) => {
    expect(problemsOf(sampleText(api, fn)).join('\n')).toContain(expected)
  })

  it('include a whole next URL when auth is in the path', () => {
    const auth = { type: 'custom', fields: { bot: { title: 'Bot', description: 'A bot.' } }, path: '/bot{bot}' }
    const paging = { style: 'next_url', next: '/next' }
    expect(problemsOf(sampleText({ auth }, { paging })).join()).toContain('run.paging: needs parameters, because auth is in the path')
    expect(problemsOf(sampleText({ auth }, { paging: { ...paging, parameters: ['page'] } }))).toEqual([])
  })

  it.each<[object, string]>([
    [{ function: 'nothing' }, 'identity.function: nothing is not a function of this app'],
    [{ function: 'toString' }, 'identity.function: toString is not a function of this app'],
    [{ function: 'act' }, 'identity.function: act is not a QUERY'],
    [{ function: 'need' }, 'identity.function: need requires b, which is not among the arguments'],
    [{ function: 'need', arguments: { b: 'me', c: 1 } }, 'identity.function: need has no parameter c'],
    [{ function: 'need', arguments: { b: 'me' }, colour: 'red' }, 'identity.colour: is not a key of this format'],
  ])('report for identity %j: %s', (identity, expected) => {
    expect(problemsOf(sampleText({ functions: functions(), identity: { name: '/name', ...identity } })).join()).toContain(expected)
  })

  it.each<[object, string | null]>([
    [{}, 'need requires b, which is not a parameter here'],
    [{ arguments: { b: '{z}' } }, 'run.sources.a: {z} is not a parameter here'],
    [{ arguments: { b: { deep: ['x {z}'] } } }, 'run.sources.a: {z} is not a parameter here'],
    [{ arguments: { c: '{a}' } }, 'run.sources.a: need has no parameter c'],
    [{ arguments: { b: '{a}' } }, null],
    [{ arguments: { b: 'fixed' } }, null],
    [{ arguments: { b: 'fixed' }, label: '/name/short' }, 'run.sources.a: the output of need has no /name/short'],
    [{ arguments: { b: 'fixed' }, value: '/owner/any/thing' }, null],
  ])('report for the arguments of a source %j: %s', (source, expected) => {
    const sources = { a: { function: 'need', value: '/id', label: '/name', ...source } }
    const found = problemsOf(sampleText({ functions: functions(sources) })).join()
    if (expected === null) expect(found).toBe('')
    else expect(found).toContain(expected)
  })

  it.each<[object, string]>([
    [{ type: 'string', items: { type: 'string' } }, 'run.output.items: is only for an array'],
    [
      { type: 'array', items: { type: 'string', properties: { a: { type: 'string' } } } },
      'run.output.items.properties: is only for an object',
    ],
    [{ type: 'object', properties: { a: { type: 'text' } } }, 'run.output.properties.a.type: must be'],
    [{ type: 'object', properties: {} }, 'run.output.properties: must'],
    [{ type: 'object', required: ['a'] }, 'run.output.required: is not a key of this format'],
  ])('report for the output %j: %s', (output, expected) => {
    expect(problemsOf(sampleText({}, { output })).join()).toContain(expected)
  })
})

const NEEDED = {
  type: 'array',
  items: { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' }, owner: { type: 'object' } } },
}

function functions(sources: object = {}): object {
  const common = { title: 'X', description: 'X.', type: 'QUERY' }
  const run = { ...common, ...parameters({ a: 'string' }), request: { method: 'GET', path: '/run', query: { a: '{a}' } }, sources }
  const need = { ...common, ...required({ b: 'string' }), request: { method: 'GET', path: '/{b}' }, output: NEEDED }
  return { run, need, act: { ...common, type: 'ACTION', request: { method: 'GET', path: '/act' } } }
}

function multipart(body: unknown, more: object = {}): Record<string, unknown> {
  return { files, request: { ...post, body_type: 'multipart', body, ...more } }
}

function raw(body: unknown, more: object = {}): Record<string, unknown> {
  return { ...parameters({ a: 'string' }), request: { ...post, body_type: 'raw', body, ...more } }
}

function mail(part: object, more: object = {}): Record<string, unknown> {
  return { request: { ...post, mail: { headers: { To: 'a@b.c' }, text: 'x', ...part }, ...more } }
}
