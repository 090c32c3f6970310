/** Runs a cluster worker that has counted as many requests as its environment says. */
import { readConfig } from '../../src/config/config.ts';
import { openMeter } from '../../src/metrics/meter.ts';

const config = readConfig({ METRICS_PORT: '0' });
const meter = openMeter({ config, version: '1.2.3' });
for (let count = 0; count < Number(process.env['REQUESTS']); count += 1) {
  meter.metrics.request('/api/filter', 200, 5);
}
meter.answerPrimary();
process.send?.('counted');
