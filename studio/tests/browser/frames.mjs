// Frames and memory of a page while something happens in it.

// Seconds of processor time that each process of the browser has used so far.
async function processorSeconds(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return new Map(processInfo.map(({ id, cpuTime }) => [id, cpuTime]));
}

// Frames a second while `work` runs, by the time between the frames that the page gets to draw, and
// the processor time that a frame costs in the busiest process (the page's, or the one that draws).
export async function framesDuring(page, work) {
  const before = await processorSeconds(page.context().browser());
  await page.evaluate(() => {
    const times = (window.frameTimes = []);
    const count = (time) => {
      if (window.frameTimes !== times) return;
      times.push(time);
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  await work();
  const times = await page.evaluate(() => {
    const taken = window.frameTimes;
    window.frameTimes = undefined;
    return taken;
  });
  const after = await processorSeconds(page.context().browser());
  const used = [...after].map(([id, seconds]) => seconds - (before.get(id) ?? 0));
  const gaps = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b);
  return {
    rate: gaps.length / ((times.at(-1) - times[0]) / 1000),
    worst: gaps.at(-1) ?? 0,
    over50: gaps.filter((gap) => gap > 50).length,
    p95: gaps[Math.floor(gaps.length * 0.95)] ?? 0,
    median: gaps[gaps.length >> 1] ?? 0,
    cost: (Math.max(...used) * 1000) / gaps.length,
  };
}

// Turns the wheel for a while, a step in each frame.
export async function wheel(page, milliseconds, step) {
  await page.mouse.move(900, 500);
  const end = Date.now() + milliseconds;
  while (Date.now() < end) {
    await page.mouse.wheel(0, step);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

// Bytes that the scripts of the page hold.
export async function memory(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  return metrics.find(({ name }) => name === 'JSHeapUsedSize').value;
}

