import { describeCommands, ID } from './command-cases.ts'

const USER = ['--user', 'joe']
const FILE = { type: 'object', properties: { url: {}, base64: {}, name: {}, content_type: {} } }
const parameters = {
  type: 'object',
  properties: { email: { type: 'string', description: 'E-mail */ address' }, age: { type: 'integer' }, photo: FILE },
  required: ['email'],
}
const fn = { name: 'crm-add', title: 'Add a contact', app: 'crm', type: 'ACTION', description: 'Adds a contact.', parameters }
const explained = { offered: ['crm-add', 'crm-get'], requests: 1, prompt_tokens: 900, completion_tokens: 20 }
const account = { id: 7, display_name: 'Ada', status: 'active', last_error: null, modified_at: '2026-01-01T00:00:00.000Z' }
const app = { id: 1, name: 'crm', title: 'CRM', docs_url: 'https://crm.example/docs', login_url: 'https://onward.example/connect/abc' }
const withoutClient = { id: ID, name: 'Cursor', mode: 'search', apps: ['crm'], read_only: true, last_used_at: null, expires_at: 'T' }
const grant = { ...withoutClient, client: { id: 'mcc_1', redirect_host: 'cursor:' } }
const logged = { id: ID, function_name: 'crm-add', outcome: 'answered', network_code: 200 }

const DECLARATIONS = [
  '// Made by onward types.',
  "import type { FileInput } from '@onward/client'",
  '',
  "declare module '@onward/client' {",
  '  interface FunctionArguments {',
  '    /** Adds a contact. */',
  '    "crm-add": {',
  '      /** E-mail *\u200b/ address */',
  '      readonly "email": string',
  '      readonly "age"?: number',
  '      readonly "photo"?: FileInput',
  '    }',
  '  }',
  '}',
]

describeCommands('functions', [
  {
    args: [
      'mcp',
      'add',
      '--mode',
      'direct',
      '--name',
      'Laptop',
      '--apps',
      'crm',
      '--read-only',
      '--expires-in-days',
      '7',
      '--output-chars',
      '500',
      ...USER,
    ],
    response: {
      id: ID,
      token: 'mcp_x',
      url: 'https://onward.example/mcp',
      expires_at: 'T',
      tools: 3,
      settings: { claude_code: 'claude mcp add' },
    },
    sends: [
      'POST',
      '/mcp/tokens',
      { mode: 'direct', name: 'Laptop', apps: ['crm'], read_only: true, expires_in_days: 7, output_chars: 500 },
    ],
    prints: [`id          ${ID}`, 'token       mcp_x', 'url         https://onward.example/mcp', 'expires_at  T', 'tools       3'],
    says: 'Store token now. It is not shown again. --json also prints the settings of clients. For Claude Code, run:\nclaude mcp add\n',
  },
  {
    args: ['mcp', 'add', '--mode', 'direct', '--read-only', ...USER],
    response: { id: ID, token: 'mcp_x', tools: 0, settings: { claude_code: 'claude mcp add' } },
    sends: ['POST', '/mcp/tokens', { mode: 'direct', read_only: true }],
    prints: [`id     ${ID}`, 'token  mcp_x', 'tools  0'],
    says:
      'The token offers no tools yet: it allows no app that the user has connected. "onward apps list --connected-only" lists those.\n' +
      'Store token now. It is not shown again. --json also prints the settings of clients. For Claude Code, run:\nclaude mcp add\n',
  },
  {
    args: ['mcp', 'list', ...USER],
    response: { tokens: [{ ...grant, rules: [] }], _cursor: null },
    sends: ['POST', '/mcp/tokens/list', { page_size: 100 }],
    prints: [
      'ID                                    NAME    REDIRECT_HOST  MODE    APPS  READ_ONLY  HAS_RULES  LAST_USED_AT  EXPIRES_AT',
      `${ID}  Cursor  cursor:        search  crm   yes        no         -             T`,
    ],
    json: { tokens: [{ ...grant, rules: [], redirect_host: 'cursor:', has_rules: false }] },
  },
  {
    args: ['mcp', 'narrow', ID, '--apps', 'crm', '--read-only', ...USER],
    response: grant,
    sends: ['PATCH', `/mcp/tokens/${ID}`, { apps: ['crm'], read_only: true }],
    prints: [
      `id             ${ID}`,
      'name           Cursor',
      'mode           search',
      'apps           crm',
      'read_only      yes',
      'last_used_at   -',
      'expires_at     T',
      'redirect_host  cursor:',
    ],
    json: { ...withoutClient, redirect_host: 'cursor:' },
  },
  {
    args: ['mcp', 'sign-in', '--expires-in-minutes', '60', ...USER],
    response: { url: 'https://onward.example/oauth/link/abc', expires_at: 'T', mcp_url: 'https://onward.example/mcp/shop' },
    sends: ['POST', '/mcp/sign-in/link', { expires_in_minutes: 60 }],
    prints: ['url         https://onward.example/oauth/link/abc', 'expires_at  T', 'mcp_url     https://onward.example/mcp/shop'],
    says: 'The user opens url, presses "Sign in", and adds mcp_url to a program such as Claude Code.\n',
  },
  {
    args: ['mcp', 'revoke', ID, ...USER],
    response: { success: true },
    sends: ['DELETE', `/mcp/tokens/${ID}`],
    prints: [`id       ${ID}`, 'revoked  yes'],
    json: { id: ID, revoked: true },
  },
  {
    args: ['types', 'crm-add', ...USER],
    response: fn,
    sends: ['POST', '/functions/crm-add/get', {}],
    prints: DECLARATIONS,
    json: { declarations: DECLARATIONS.map((line) => `${line}\n`).join('') },
  },
  {
    args: [
      'call',
      'crm-add',
      '-f',
      'email=a=b',
      '-f',
      'age:=36',
      '--account',
      '7',
      '--variable',
      'who=Ada',
      '--keep',
      'id',
      '--keep',
      'x.y',
      ...USER,
    ],
    response: {
      ...{ network_code: 201, output: { id: 9 }, _cursor: { page: 2 } },
      meta: {
        fields_missing: ['x.y'],
        refused_account: { status: 'expired', login_url: 'https://x.example' },
        needed_scopes: [['a'], ['b', 'c']],
      },
    },
    sends: [
      'POST',
      '/functions/crm-add/call?connected_account_id=7',
      { email: 'a=b', age: 36, _variables: { who: 'Ada' }, _fields: ['id', 'x.y'] },
    ],
    prints: ['{', '  "id": 9', '}'],
    json: {
      network_code: 201,
      output: { id: 9 },
      _cursor: { page: 2 },
      next_page_problem: null,
      retry_after: null,
      location: null,
      fields_missing: ['x.y'],
      refused_account: { status: 'expired', login_url: 'https://x.example' },
      needed_scopes: [['a'], ['b', 'c']],
      call_id: null,
      replayed: false,
    },
    says: '201, call null; next page: --cursor {"page":2}; the account is expired; connect it again at https://x.example; the function needs the scope a, or b and c; not in the output: x.y\n',
  },
  {
    args: ['predict', 'add Ada', '--arguments', '--top', '2', '--app', 'crm', '--connected-only', '--time-zone', 'Europe/Rome', ...USER],
    response: { functions: [{ ...fn, confidence: 0.9, arguments: { email: 'ada@x' } }] },
    sends: [
      'POST',
      '/functions/predict?app=crm&connected_only=true',
      { prompt: 'add Ada', predict_arguments: true, top_k: 2, time_zone: 'Europe/Rome' },
    ],
    prints: ['NAME     CONFIDENCE  TITLE          ARGUMENTS', 'crm-add  0.9         Add a contact  {"email":"ada@x"}'],
  },
  {
    args: ['predict', 'post to Miro', '--top', '3', ...USER],
    response: {
      functions: [],
      meta: { refused: { reason: 'no_such_app', product: 'Miro', nearest: [{ name: 'crm-add', confidence: 0.1 }] } },
    },
    sends: ['POST', '/functions/predict', { prompt: 'post to Miro', top_k: 3 }],
    prints: [],
    says: 'no function fits: there is no app Miro; nearest: crm-add\n',
  },
  {
    args: ['predict', 'add Ada and list all', ...USER],
    response: { functions: [{ ...fn, confidence: 0.9 }], meta: { next: [{ name: 'crm-list', confidence: 0.7 }] } },
    sends: ['POST', '/functions/predict', { prompt: 'add Ada and list all' }],
    prints: ['NAME     CONFIDENCE  TITLE', 'crm-add  0.9         Add a contact'],
    says: 'then: crm-list\n',
  },
  {
    args: ['predict', 'add Ada', '--explain', ...USER],
    response: { functions: [{ ...fn, confidence: 0.9 }], meta: { path: 'model', explained } },
    sends: ['POST', '/functions/predict?explain=true', { prompt: 'add Ada' }],
    prints: [
      'NAME     CONFIDENCE  TITLE',
      'crm-add  0.9         Add a contact',
      '',
      'path               model',
      'offered            crm-add,crm-get',
      'requests           1',
      'prompt_tokens      900',
      'completion_tokens  20',
    ],
  },
  {
    args: ['functions', 'list', '--app', 'crm', '--type', 'ACTION', '--search', 'add', '--connected-only', ...USER],
    response: { functions: [fn], _cursor: null },
    sends: ['POST', '/functions/list?app=crm&connected_only=true&search=add&type=ACTION'],
    prints: ['NAME     APP  TYPE    TITLE', 'crm-add  crm  ACTION  Add a contact'],
    json: { functions: [fn] },
  },
  {
    args: ['functions', 'get', 'crm-add', '--prompt', 'add Ada', ...USER],
    response: { ...fn, arguments: { email: 'ada@x' } },
    sends: ['POST', '/functions/crm-add/get', { prompt: 'add Ada' }],
    prints: [
      'name         crm-add',
      'title        Add a contact',
      'app          crm',
      'type         ACTION',
      'description  Adds a contact.',
      'arguments    {"email":"ada@x"}',
      '',
      'PARAMETER  TYPE     REQUIRED  DESCRIPTION',
      'email      string   yes       E-mail */ address',
      'age        integer  no        -',
      'photo      object   no        -',
    ],
  },
  {
    args: ['apps', 'list', '--search', 'c', '--connected-only', ...USER],
    response: { apps: [app], _cursor: null },
    sends: ['POST', '/apps/list?search=c&connected_only=true'],
    prints: ['NAME  TITLE  DOCS_URL', 'crm   CRM    https://crm.example/docs'],
    json: { apps: [app] },
  },
  {
    args: ['apps', 'get', 'crm', ...USER],
    response: { ...app, connected_accounts: [account] },
    sends: ['POST', '/apps/crm/get'],
    prints: ['ID  DISPLAY_NAME  STATUS  LAST_ERROR  MODIFIED_AT', '7   Ada           active  -           2026-01-01T00:00:00.000Z'],
  },
  {
    args: ['apps', 'connect', 'crm', ...USER],
    response: { ...app, connected_accounts: [] },
    sends: ['POST', '/apps/crm/get'],
    prints: ['app        crm', 'login_url  https://onward.example/connect/abc'],
    json: { app: 'crm', login_url: 'https://onward.example/connect/abc' },
  },
  {
    args: ['calls', 'find', ID, ...USER],
    response: logged,
    sends: ['POST', `/calls/${ID}/get`],
    prints: [`id             ${ID}`, 'function_name  crm-add', 'outcome        answered', 'network_code   200'],
  },
  {
    args: ['api', 'post', '/calls/list?_cursor=x', '-f', 'page_size:=5', ...USER],
    response: { calls: [] },
    sends: ['POST', '/calls/list?_cursor=x', { page_size: 5 }],
    prints: ['{', '  "calls": []', '}'],
  },
])
