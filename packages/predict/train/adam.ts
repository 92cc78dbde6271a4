/** Adam (Kingma and Ba 2015) over `count` values: each call goes one step against the gradient, in place. */
export function adam(count: number): (values: Float64Array, gradient: Float64Array, rate: number) => void {
  const first = new Float64Array(count)
  const second = new Float64Array(count)
  let time = 0
  return (values, gradient, rate) => {
    time++
    for (let k = 0; k < count; k++) {
      const slope = gradient[k] as number
      const m = 0.9 * (first[k] as number) + 0.1 * slope
      const v = 0.999 * (second[k] as number) + 0.001 * slope * slope
      first[k] = m
      second[k] = v
      values[k] = (values[k] as number) - (rate * (m / (1 - 0.9 ** time))) / (Math.sqrt(v / (1 - 0.999 ** time)) + 1e-8)
    }
  }
}
