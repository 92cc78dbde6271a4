import { answers, openStage, type Stage } from './stage.ts'

let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage.close())

describe('application policy', () => {
  const rules = [{ apps: ['gmail'], result: 'deny' }]
  const stdin = JSON.stringify({ rules })
  const path = '/admin/applications/shop/policy'

  it.each([
    [['--input', '-'], [['PUT', path, { rules }]]],
    [['--input', '-', '--test'], [['POST', `${path}/test`, { rules }]]],
    [
      ['--test'],
      [
        ['GET', path],
        ['POST', `${path}/test`, { rules }],
      ],
    ],
    [[], [['GET', path]]],
  ])('with %j sends %j', async (options, requests) => {
    answers(stage.functions, { rules })
    const { code, out } = await stage.run(['application', 'policy', 'shop', ...options], { stdin })
    expect([code, JSON.parse(out)]).toEqual([0, { rules }])
    expect(stage.requests()).toEqual(requests.map((request) => ['functions', ...request]))
  })
})
