import { answers, openStage, type Stage } from './stage.ts'

let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage.close())

const lists = { allowed_origins: [], allowed_redirects: [], learn_from_use: true, confirm_accounts: false, client_profile: 'standard' }
const applications = [
  { app_key: 'crm', workspace_id: 'other', name: 'CRM', ...lists, created_at: '2026-01-01T00:00:00.000Z' },
  { app_key: 'shop', workspace_id: 'acme', name: 'Shop', ...lists, created_at: '2026-01-01T00:00:00.000Z' },
]

describe('application confirm-accounts', () => {
  it.each([
    ['on', true, 'yes'],
    ['off', false, 'no'],
  ])('sets confirm_accounts: %s', async (choice, confirm_accounts, shown) => {
    answers(stage.functions, { applications })
    const { code, out } = await stage.run(['application', 'confirm-accounts', 'shop', choice])
    expect(stage.requests().at(-1)).toEqual([
      'functions',
      'PUT',
      '/admin/applications/shop',
      { workspace_id: 'acme', name: 'Shop', confirm_accounts },
    ])
    expect([code, out]).toEqual([0, `app_key           shop\nconfirm_accounts  ${shown}\n`])
  })
})

describe('application learn-from-use', () => {
  it.each([
    ['on', true, 'yes'],
    ['off', false, 'no'],
  ])('sets learn_from_use: %s', async (choice, learn_from_use, shown) => {
    answers(stage.functions, { applications })
    const { code, out } = await stage.run(['application', 'learn-from-use', 'shop', choice])
    expect(stage.requests()).toEqual([
      ['functions', 'GET', '/admin/applications'],
      ['functions', 'PUT', '/admin/applications/shop', { workspace_id: 'acme', name: 'Shop', learn_from_use }],
    ])
    expect([code, out]).toEqual([0, `app_key         shop\nlearn_from_use  ${shown}\n`])
  })

  it('changes nothing for an unknown application or an unknown choice', async () => {
    answers(stage.functions, { applications })
    expect((await stage.run(['application', 'learn-from-use', 'none', 'off'])).err).toBe('error: the application none does not exist\n')
    for (const wrong of [[], ['maybe']]) expect((await stage.run(['application', 'learn-from-use', 'shop', ...wrong])).code).toBe(2)
    expect(stage.requests()).toEqual([['functions', 'GET', '/admin/applications']])
  })
})

describe('application share-learning', () => {
  it.each([
    ['on', true, 'yes'],
    ['off', false, 'no'],
  ])('sets share_learning: %s', async (choice, share_learning, shown) => {
    answers(stage.functions, { applications })
    const { code, out } = await stage.run(['application', 'share-learning', 'shop', choice])
    expect(stage.requests().at(-1)).toEqual([
      'functions',
      'PUT',
      '/admin/applications/shop',
      { workspace_id: 'acme', name: 'Shop', share_learning },
    ])
    expect([code, out]).toEqual([0, `app_key         shop\nshare_learning  ${shown}\n`])
  })
})

describe('application use-model', () => {
  it.each([
    ['on', true, 'yes'],
    ['off', false, 'no'],
  ])('sets use_model: %s', async (choice, use_model, shown) => {
    answers(stage.functions, { applications })
    const { code, out } = await stage.run(['application', 'use-model', 'shop', choice])
    expect(stage.requests().at(-1)).toEqual([
      'functions',
      'PUT',
      '/admin/applications/shop',
      { workspace_id: 'acme', name: 'Shop', use_model },
    ])
    expect([code, out]).toEqual([0, `app_key    shop\nuse_model  ${shown}\n`])
  })
})

describe('application clear-past-prompts', () => {
  it('deletes the stored prompts', async () => {
    answers(stage.functions, { success: true })
    const { code, out } = await stage.run(['application', 'clear-past-prompts', 'shop'])
    expect(stage.requests()).toEqual([['functions', 'DELETE', '/admin/applications/shop/past-prompts']])
    expect([code, out]).toEqual([0, 'success  yes\n'])
  })
})
