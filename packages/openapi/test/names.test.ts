import { importDocument, openApi } from './import-document.ts'

type Parts = Readonly<Record<string, unknown>>

async function nameOf(method: string, path: string, operation: Parts = {}, others: Parts = {}): Promise<string | undefined> {
  const { report } = await importDocument(openApi({ ...others, [path]: { [method]: operation } }))
  return report.functions.find((fn) => fn.path === path && fn.method === method.toUpperCase())?.name.replace(/^desk-/, '')
}

async function namesOf(paths: Parts): Promise<Record<string, string>> {
  const { report } = await importDocument(openApi(paths))
  return Object.fromEntries(report.functions.map(({ name, method, path }) => [`${method} ${path}`, name.replace(/^desk-/, '')]))
}

describe('a function', () => {
  it.each([
    ['delete', '/users/{id}', 'createUser', true],
    ['post', '/users/{id}', 'deleteUser', true],
    ['post', '/orders/{id}/cancel', 'processOrder', true],
    ['post', '/orders/{id}/cancellations', undefined, true],
    ['post', '/items', 'bulkEndItems', true],
    ['post', '/refunds', 'createRefund', true],
    ['post', '/refunds/{id}', 'updateRefund', false],
    ['patch', '/events/{id}/end_date', 'updateEndDate', false],
    ['post', '/files/{id}:undelete', undefined, false],
    ['post', '/issues/{id}/archive', 'archiveIssue', false],
    ['get', '/users/deleted', 'removeNothing', false],
  ])('imported from %s %s with operationId %s is destructive: %s', async (method, path, operationId, expected) => {
    const { file } = await importDocument(openApi({ [path]: { [method]: { operationId } } }))
    const [definition] = Object.values(file?.functions ?? {})
    expect(definition?.destructive === true).toBe(expected)
  })
})

describe('a name', () => {
  it.each([
    ['createIssue', 'create-issue'],
    ['issues/create', 'create-issue'],
    ['issues/list-for-repo', 'list-issues-for-repo'],
    ['issues/list-comments', 'list-issue-comments'],
    ['repos/get', 'get-repo'],
    ['chat_postMessage', 'post-chat-message'],
    ['conversations_list', 'list-conversations'],
    ['users.info', 'get-user'],
    ['users_lookupByEmail', 'lookup-user-by-email'],
    ['ListMessage', 'list-messages'],
    ['FetchMessageV2', 'get-message'],
    ['retrieve-a-page', 'get-page'],
    ['deskSendInvoice', 'send-invoice'],
    ['UserController_deleteUser', 'delete-user'],
    ['getHTTPProxy', 'get-http-proxy'],
  ])('is made from the operationId %s: %s', async (operationId, name) => {
    expect(await nameOf('post', '/x', { operationId })).toBe(name)
  })

  it.each([
    ['get', '/users', {}, 'list-users'],
    ['get', '/users/{id}', {}, 'get-user'],
    ['post', '/users', {}, 'create-user'],
    ['post', '/users/{id}', {}, 'update-user'],
    ['put', '/users/{id}', {}, 'update-user'],
    ['patch', '/users/{id}', {}, 'update-user'],
    ['delete', '/users/{id}', {}, 'delete-user'],
    ['get', '/repos/{owner}/{repo}/issues/{number}', {}, 'get-repo-issue'],
    ['get', '/companies/{id}/policies', {}, 'list-company-policies'],
    ['post', '/invoices/{id}/send', {}, 'send-invoice'],
    ['post', '/files/{id}:undelete', {}, 'undelete-file'],
    ['get', '/cards/{id}/list', {}, 'get-card-list'],
    ['get', '/me', {}, 'get-me'],
    ['get', '/', {}, 'get-root'],
    ['get', '/v2/user_groups.json', {}, 'list-user-groups'],
    ['get', '/users', { operationId: 'getUsers' }, 'list-users'],
    ['get', '/users/{id}', { operationId: 'get-users-id' }, 'get-user'],
    ['get', '/users/{userId}', { operationId: 'deleteUserByUserId' }, 'get-user'],
    ['get', '/users', { operationId: 'a3f9c2d1e8' }, 'list-users'],
    ['get', '/pet/{id}', { operationId: 'GET_/pet/{id}' }, 'get-pet'],
    ['get', '/pet/{petId}', { operationId: 'petPetIdGet' }, 'get-pet'],
    ['get', '/pet/{petId}', { operationId: 'get_pet_pet_id_v1' }, 'get-pet'],
    ['post', '/boards/{idBoard}/lists', { operationId: 'addBoardsListsByIdBoard' }, 'create-board-list'],
    ['put', '/folders/{id}#add_link', { operationId: 'put_folders_id#add_link' }, 'add-folder-link'],
  ])('is made from the path for %s %s with %j', async (method, path, operation, name) => {
    expect(await nameOf(method, path, operation)).toBe(name)
  })

  it.each([
    ['/pet/findByStatus', 'findPetsByStatus', 'find-pets-by-status'],
    ['/pet/findByTags', 'findPetsByTags', 'find-pets-by-tags'],
    ['/pet/{petId}', 'getPetById', 'get-pet-by-id'],
    ['/store/order/{orderId}', 'getOrderById', 'get-order-by-id'],
    ['/user/{username}', 'getUserByName', 'get-user-by-name'],
  ])('is made for GET %s from the operationId %s, which does not just repeat the path: %s', async (path, operationId, name) => {
    expect(await nameOf('get', path, { operationId })).toBe(name)
  })

  it('distinguishes PUT from PATCH when a path has both', async () => {
    expect(await namesOf({ '/users/{id}': { put: {}, patch: {}, post: {} } })).toEqual({
      'PUT /users/{id}': 'replace-user',
      'PATCH /users/{id}': 'update-user',
      'POST /users/{id}': 'create-user',
    })
  })

  it('is made unique with words of the path when several operations would share it', async () => {
    const list = (operationId: string) => ({ get: { operationId } })
    const paths = { '/issues': list('listIssues'), '/teams/{id}/issues': list('issues_list'), '/boards/{id}/issues': list('issuesList') }
    expect(await namesOf(paths)).toEqual({
      'GET /issues': 'list-issues',
      'GET /teams/{id}/issues': 'list-issues-for-team',
      'GET /boards/{id}/issues': 'list-issues-for-board',
    })
  })

  it('is made from the path when the operationId is repeated', async () => {
    const get = { operationId: 'fetchIt' }
    expect(await namesOf({ '/cats': { get }, '/dogs': { get } })).toEqual({ 'GET /cats': 'list-cats', 'GET /dogs': 'list-dogs' })
  })

  it('is made unique with the version, then the method, and finally digits of a hash', async () => {
    const names = Object.values(
      await namesOf({ '/v1/cats': { get: {} }, '/v2/cats': { get: {} }, '/cats/{a}': { get: {} }, '/cats/{a}/': { get: {} } }),
    )
    expect(new Set(names).size).toBe(4)
    expect(names).toEqual(
      expect.arrayContaining(['list-cats-v1', 'list-cats-v2', expect.stringMatching(/^get-cat(-by-a)?(-by-get)?(-[0-9a-f]{4})?$/)]),
    )
  })

  it('has at most 64 characters: a longer one is cut after a word and ends with digits of a hash', async () => {
    const path = '/organizations/{id}/environments/{env}/deployment-protection-configurations/{name}/custom-branch-rules'
    const name = (await nameOf('get', path)) ?? ''
    expect(name).toMatch(/^list-organization-environment-deployment-protection-[0-9a-f]{4}$/)
    expect(`desk-${name}`.length).toBeLessThanOrEqual(64)
  })

  it('is never the name of the pass-through function', async () => {
    expect(await nameOf('post', '/passthrough/request', { operationId: 'passthroughRequest' })).not.toBe('passthrough-request')
    expect(await nameOf('post', '/x', { operationId: 'passthrough_request' })).not.toBe('passthrough-request')
  })

  it('does not depend on the order of the document or on --include', async () => {
    const paths = Object.entries({
      '/issues': 'listIssues',
      '/teams/{id}/issues': 'issues_list',
      '/boards/{id}/issues': 'issuesList',
      '/a': 'x',
      '/b': 'x',
    })
    const document = (entries: [string, string][]) =>
      openApi(Object.fromEntries(entries.map(([path, operationId]) => [path, { get: { operationId } }])))
    const forward = await importDocument(document(paths))
    const backward = await importDocument(document([...paths].reverse()))
    expect(backward.report.functions).toEqual(forward.report.functions)
    const some = await importDocument(document(paths), { include: ['/teams'] })
    expect(some.report.functions.map(({ name }) => name)).toEqual(['desk-list-issues-for-team'])
  })

  it('stays the same on the next import when the document has new operations', async () => {
    const before = await importDocument(openApi({ '/issues/{id}': { get: { operationId: 'getIssue' } } }))
    const paths = {
      '/issues/{issue_id}': { get: { operationId: 'readOneIssue' } },
      '/teams/{id}/issue': { get: { operationId: 'getIssue' } },
    }
    const { report } = await importDocument(openApi(paths), { previous: before.file ?? undefined })
    expect(report.functions.map(({ name, path }) => `${name} ${path}`)).toEqual([
      'desk-get-issue /issues/{issue_id}',
      'desk-get-issue-for-team /teams/{id}/issue',
    ])
  })
})

describe('an app name', () => {
  it.each(['Desk', 'desk_1', '1desk', '-desk', '', 'a'.repeat(41), 'a--b'])('rejects %j', async (name) => {
    await expect(importDocument(openApi({}), { name })).rejects.toMatchObject({ name: 'OptionError', option: 'name' })
  })
})
