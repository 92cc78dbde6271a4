import { parameters, problemsOf, sampleText } from './sample-app.ts'

function withRequest(request: object, types: Record<string, string> = {}, app: object = {}): string {
  return sampleText({ ...app }, { ...parameters(types), request: { method: 'GET', path: '/run', ...request } })
}

const keyInQuery = { auth: { type: 'api_key', in: 'query', name: 'key' } }
const passthrough = { title: 'X', description: 'X.', type: 'QUERY', request: { method: 'GET', path: '/x' } }

const slack = `name: slack
title: Slack
description: Messages.
base_url: https://slack.com/api
auth: { type: bearer }
functions:
  post-message:
    title: Post
    description: Posts.
    type: ACTION
    parameters:
      properties:
        channel: { type: string }
    request: { method: POST, path: /post, body: { channel: '{channel}' } }
  read:
    title: Read
    description: Reads.
    type: QUERY
    colour: red
    request:
      method: GET
      path: /read/{id}
  list:
    title: List
    description: Lists.
    type: QUERY
    request:
      method: GET
      path: /list
      query:
        limit: '{limit}'
`

describe('the load errors of an app file', () => {
  it('name file, line and path, and are reported together', () => {
    expect(problemsOf(slack, 'slack.yaml')).toEqual([
      'slack.yaml:13: functions.post-message.parameters.properties.channel: needs a description',
      'slack.yaml:19: functions.read.colour: is not a key of this format',
      'slack.yaml:31: functions.list.request.query.limit: {limit} is neither a parameter nor {account.<setting>}',
    ])
  })

  it.each([
    ['', /sample\.yaml:1: must be object/],
    ['name: [', /sample\.yaml:1: /],
    ['a: 1\nrequest: { path: /x/{id} }\nb: 2', /^sample\.yaml:2: Unexpected flow-map-start[^\n]* \(quote a text that contains braces\)$/],
    ['a: { b: "x"{c: d} }', /^sample\.yaml:1: [^\n(]*$/],
    [`name: !${'x'.repeat(300)}!b c`, /^sample\.yaml:1: [^\n]{1,160}$/],
    ['name: \0', /^sample\.yaml: is not a text file$/],
    ['name: a\nname: b', /sample\.yaml:2: Map keys must be unique/],
  ])('report a text that is not an app file: %j', (text, expected) => {
    expect(problemsOf(text)[0]).toMatch(expected)
  })

  it.each<[string, string, string]>([
    ['unknown auth', sampleText({ auth: { type: 'magic' } }), 'auth.type: must be one of none, api_key, bearer, basic'],
    ['auth key', sampleText({ auth: { type: 'bearer', prefix: 'x' } }), 'auth.prefix: is not a key of this format'],
    ['http base_url', sampleText({ base_url: 'http://api.example.com' }), 'base_url: must be https://'],
    ['user name in base_url', sampleText({ base_url: 'https://a@b.example' }), 'base_url: must be https://'],
    ['query after the host', sampleText({ base_url: 'https://a.example?x' }), 'base_url: must be https://'],
    ['query in base_url', sampleText({ base_url: 'https://a.example/x?y=1' }), 'base_url: must not contain'],
    ['unknown setting in base_url', sampleText({ base_url: '{account.url}' }), 'base_url: {account.url} is not in account_settings'],
    ['open host', withSetting('https://{account.site}/x'), 'base_url: a host that contains a setting must end with a fixed domain'],
    ['open host suffix', withSetting('https://api.{account.site}'), 'base_url: a host that contains a setting'],
    ['one-part suffix', withSetting('https://{account.site}.com'), 'base_url: a host that contains a setting'],
    ['app name', sampleText({ name: 'Sample App' }), 'name: must match pattern'],
    ['function name', sampleText({ functions: { Run: {} } }), 'functions.Run: is not a valid name'],
    ['own passthrough', sampleText({ functions: { 'passthrough-request': passthrough } }), 'is added automatically'],
    ['setting named as a field', withSetting('https://a.example', 'api_key'), 'account_settings.api_key: is the name of a field of auth'],
    ['reserved setting', withSetting('https://a.example', 'constructor'), 'account_settings.constructor: is a reserved name'],
    ['connection header', sampleText({ headers: { Host: 'x' } }), 'headers.Host: is set by the HTTP client only'],
    ['auth header', sampleText({ headers: { 'x-key': 'x' } }), 'headers.x-key: is set by auth'],
    ['line break in a header', sampleText({ headers: { A: 'x\r\ny' } }), 'headers.A: must match pattern'],
    ['http icon', sampleText({ icon_url: 'http://a.example/i.png' }), 'icon_url: must match pattern'],
    ...['[', '^(?=a)', '(a)\\1', '(?<x>a)\\k<x>', '(?:a{9999}){9999}'].map((pattern): [string, string, string] => [
      `setting pattern ${pattern}`,
      withSetting('https://a.example', 'site', pattern),
      'account_settings.site.pattern: is not a regular expression that RE2 supports',
    ]),
  ])('include problems of the app: %s', (_what, text, expected) => {
    expect(problemsOf(text).join('\n')).toContain(expected)
  })

  it.each<[string, string, string]>([
    ['relative path', withRequest({ path: 'run' }), 'path: must match pattern'],
    ['query in the path', withRequest({ path: '/run?x=1' }), 'path: must not contain'],
    ['dots in the path', withRequest({ path: '/a/../b' }), 'path: must not contain an empty'],
    ['encoded dots in the path', withRequest({ path: '/a/%2E%2e/b' }), 'path: must not contain an empty'],
    ['two slashes', withRequest({ path: '//b.example/run' }), 'path: must not contain an empty'],
    ['brace in the path', withRequest({ path: '/{a b}' }), 'path: must not contain'],
    ['optional path tag', withRequest({ path: '/{id}' }, { id: 'string' }), '{id} must be required or have a default'],
    ['array in the path', withRequest({ path: '/{ids}' }, { ids: 'array' }), '{ids} is not a single value'],
    ['explode of a text', withRequest({ query: { id: '{id*}' } }, { id: 'string' }), '{id*} is neither an array nor an object'],
    ['explode inside text', withRequest({ query: { id: 'x{ids*}' } }, { ids: 'array' }), 'a tag with * must be the whole value'],
    ['unknown account field', withRequest({ query: { x: '{account.x}' } }), '{account.x} is neither'],
    ['secret in a template', withRequest({ query: { x: '{account.api_key}' } }), '{account.api_key} is neither'],
    ['body of a GET', withRequest({ body: {} }), 'request.body: GET takes no body'],
    ['unused parameter', withRequest({}, { id: 'string' }), 'parameters.properties.id: is not used in request'],
    ['form that is no object', withRequest({ method: 'POST', body: 'x', body_type: 'form' }), 'body: must be an object here'],
    ['method', withRequest({ method: 'TRACE' }), 'method: must be one of GET, POST'],
    ['api key in the query', withRequest({ query: { key: 'x' } }, {}, keyInQuery), 'query.key: is set by auth'],
  ])('include problems of a request: %s', (_what, text, expected) => {
    expect(problemsOf(text).join('\n')).toContain(expected)
  })

  it.each<[string, object, string]>([
    ['two types', { type: ['string', 'null'], description: 'x' }, 'properties.a.type: must be one of'],
    ['no items', { type: 'array', description: 'x' }, 'properties.a: needs items'],
    ['a reference', { $ref: '#/x', description: 'x' }, 'properties.a.$ref: is not a key'],
    ['an unknown format', { type: 'string', format: 'postcode', description: 'x' }, 'unknown format "postcode"'],
    ['a keyword of another type', { type: 'string', minimum: 1, description: 'x' }, 'strict mode'],
    ['a default that is not valid', { type: 'integer', default: 0, minimum: 1, description: 'x' }, 'properties.a.default: must be >= 1'],
    ['a nested reserved name', { type: 'object', properties: { constructor: { type: 'string' } }, description: 'x' }, 'is a reserved name'],
    [
      'an alternative',
      { type: 'object', properties: {}, alternatives: ['b', 'c'].map((name) => ({ title: name, properties: [name] })), description: 'x' },
      'a.alternatives: b is not among the properties',
    ],
    ['a nested required', { type: 'object', required: ['b'], description: 'x' }, 'a.required: b is not among the properties'],
  ])('include problems of a parameter: %s', (_what, schema, expected) => {
    const request = { method: 'POST', path: '/run', body: { a: '{a}' } }
    expect(problemsOf(sampleText({}, { parameters: { properties: { a: schema } }, request })).join('\n')).toContain(expected)
  })

  it.each(['__proto__', 'constructor', 'prototype', 'toString', '_variables', '_cursor', '_fields'])(
    'include the reserved parameter name %s',
    (name) => {
      const request = { method: 'POST', path: '/run', body: { x: `{${name}}` } }
      const properties = JSON.parse(`{"${name}": {"type": "string", "description": "x"}}`)
      expect(problemsOf(sampleText({}, { parameters: { properties }, request })).join('\n')).toContain(`${name}: is a reserved name`)
    },
  )

  it.each<[string, object, string]>([
    ['unknown style', { style: 'magic' }, 'paging.style: must be one of cursor, page, offset, last_id, fields, next_url'],
    ['missing pointer', { style: 'cursor', parameter: 'after' }, 'paging: needs a next'],
    ['bad pointer', { style: 'cursor', parameter: 'after', next: 'next' }, 'paging.next: must match pattern'],
    ['parameter set twice', { style: 'page', parameter: 'size' }, 'query.size: is set by paging'],
    ['the name of the API key', { style: 'page', parameter: 'key' }, 'query.key: is set by auth'],
    ['body of a GET', { style: 'page', parameter: 'page', in: 'body' }, 'GET takes no body'],
  ])('include problems of paging: %s', (_what, paging, expected) => {
    const request = { method: 'GET', path: '/run', query: { size: 5 } }
    expect(problemsOf(sampleText(keyInQuery, { paging, request })).join('\n')).toContain(expected)
  })

  it.each<[string, object, string]>([
    ['a function that is not there', { a: { function: 'nothing', value: '', label: '' } }, 'nothing is not a function of this app'],
    ['an inherited name', { a: { function: 'constructor', value: '', label: '' } }, 'constructor is not a function of this app'],
    ['an action', { a: { function: 'act', value: '', label: '' } }, 'act is not a QUERY'],
    ['a needy function', { a: { function: 'need', value: '', label: '' } }, 'need requires b, which is not a parameter here'],
    ['no parameter', { z: { function: 'act', value: '', label: '' } }, 'sources.z: is not a parameter'],
  ])('include problems of sources: %s', (_what, sources, expected) => {
    const common = {
      title: 'X',
      description: 'X.',
      request: { method: 'GET', path: '/x', query: { a: '{a}' } },
      ...parameters({ a: 'string' }),
    }
    const need = { properties: { b: { type: 'string', description: 'x' } }, required: ['b'] }
    const functions = {
      run: { ...common, type: 'QUERY', sources },
      act: { ...common, type: 'ACTION' },
      need: { ...common, type: 'QUERY', parameters: need, request: { method: 'GET', path: '/{b}' } },
    }
    expect(problemsOf(sampleText({ functions })).join('\n')).toContain(expected)
  })
})

function withSetting(base_url: string, name = 'site', pattern = '.'): string {
  return sampleText({ base_url, account_settings: { [name]: { title: 'Site', description: 'A site.', pattern } } })
}
