import { sql } from 'kysely'
import { expectPage, useSingleSignOn, verified } from './use-single-sign-on.ts'

const onward = useSingleSignOn()
const { finish, toCallback, signIn, signedIn, send, addMember, removeMember, member, audited } = onward

describe('who may sign in', () => {
  it('is nobody whom no owner has invited, and the page says whom to ask', async () => {
    await onward.provider.setAccount('stranger', verified('stranger@example.com'))
    const response = await signIn('stranger')
    expectPage(response, 403, 'stranger@example.com')
    expect(response.text).toContain('Ask an owner of your workspace to invite this e-mail address')
    expect(await audited('stranger@example.com')).toMatchObject([{ outcome: 'refused', code: 'role_required' }])
    const { rows } = await sql`select from person where email = 'stranger@example.com'`.execute(onward.insights.db)
    expect(rows).toEqual([])
  })

  it.each([
    ['says that it is not verified', { email_verified: false }],
    ['says nothing', {}],
    ['says that the domain of the address is not verified', { xms_edov: false }],
    ['contradicts itself', { email_verified: false, xms_edov: true }],
  ])('is nobody whose e-mail address is not verified: the provider %s', async (_what, claims) => {
    const { email, subject } = await member()
    await onward.provider.setAccount(subject, { email, ...claims })
    expectPage(await signIn(subject), 403, 'Your e-mail address is not verified')
  })

  it.each([
    ['as text', { email_verified: 'true' }],
    ['by the domain of the address', { xms_edov: true }],
  ])('includes people whose address is verified %s, as some providers write it', async (_what, claims) => {
    const { email, subject } = await member()
    await onward.provider.setAccount(subject, { email, ...claims })
    await signedIn(subject)
  })

  it('does not change with the e-mail address: the account decides after the first sign-in', async () => {
    const ann = await member('viewer')
    const boss = await member('owner')
    await signedIn(ann.subject)
    await onward.provider.setAccount(ann.subject, verified(boss.email))
    const { body } = await send('get', '/admin/session', await signedIn(ann.subject)).expect(200)
    expect(body).toMatchObject({ person: { id: ann.id, email: ann.email }, workspaces: [{ role: 'viewer' }] })
    // Later sign-ins do not need the address at all.
    await onward.provider.setAccount(ann.subject, {})
    await signedIn(ann.subject)
  })

  it('is nobody who got the e-mail address of somebody else later, until an owner invites the person again', async () => {
    const before = await member('owner')
    await addMember('another-owner@example.com', 'owner')
    await signedIn(before.subject)
    await onward.provider.setAccount('successor', verified(before.email))
    expectPage(await signIn('successor'), 403, 'in use by another account')
    await removeMember(before.id)
    expectPage(await signIn(before.subject), 403, 'You have no access')
    await addMember(before.email, 'viewer')
    const { body } = await send('get', '/admin/session', await signedIn('successor')).expect(200)
    expect(body.workspaces).toMatchObject([{ role: 'viewer' }])
    expectPage(await signIn(before.subject), 403, 'in use by another account')
  })

  it('is not held by a workspace that was deleted: a removed person can come back with another account', async () => {
    const deleted = await onward.insights.workspace()
    const { id, email, subject } = await member()
    await onward.insights.admin.post(`/admin/workspaces/${deleted.id}/members`, { email, role: 'viewer' }).expect(200)
    await signedIn(subject)
    await onward.insights.admin.delete(`/admin/applications/${deleted.appKey}`).expect(200)
    await onward.insights.admin.delete(`/admin/workspaces/${deleted.id}`).expect(200)
    await removeMember(id)
    await addMember(email)
    await onward.provider.setAccount('returned', verified(email))
    await signedIn('returned')
  })

  it('is an operator with a new account only after losing the role and getting it again', async () => {
    const setOperator = (operator: boolean) =>
      onward.insights.admin.post('/admin/sign-in-links', { email: 'chief@example.com', operator }).expect(200)
    await setOperator(true)
    await onward.provider.setAccount('chief-1', verified('chief@example.com'))
    await onward.provider.setAccount('chief-2', verified('chief@example.com'))
    await signedIn('chief-1')
    expectPage(await signIn('chief-2'), 403, 'in use by another account')
    await setOperator(false)
    await setOperator(true)
    await signedIn('chief-2')
    expectPage(await signIn('chief-1'), 403, 'in use by another account')
  })

  it('is nobody whose address only looks like that of a member', async () => {
    await addMember('kim@example.com')
    await onward.provider.setAccount('kelvin', verified('\u212aim@example.com'))
    expectPage(await signIn('kelvin'), 403, 'You have no access')
  })

  it('is decided once when two sign-ins of an account arrive together', async () => {
    const { subject } = await member()
    const both = [await toCallback(subject), await toCallback(subject)]
    const answers = await Promise.all(both.map(({ callback, cookie }) => finish(callback, cookie)))
    expect(answers.map(({ status }) => status)).toEqual([303, 303])
  })
})
