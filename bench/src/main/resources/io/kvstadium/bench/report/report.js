'use strict';
(() => {
  const SERIES = 8;
  const DASHES = ['solid', [7, 3], [2, 2], [9, 3, 2, 3]];
  const colour = (series) => `var(--s${series % SERIES})`;
  // Colours are the page's own variables: dark mode and print then need no second drawing.
  const INK = 'var(--ink)';
  const SOFT = 'var(--soft)';
  const LINE = 'var(--line)';

  const digits = (value) => String(Number(value.toPrecision(3)));
  const scaled = (value, units) => {
    let unit = 0;
    let rest = value;
    while (rest >= 999.5 && unit < units.length - 1) {
      rest /= 1000;
      unit++;
    }
    return `${digits(rest)} ${units[unit]}`;
  };
  const time = (nanos) => scaled(nanos, ['ns', 'µs', 'ms', 's']);
  const rate = (perSecond) => scaled(perSecond, ['/s', 'k/s', 'M/s', 'G/s']);

  /** The line from low to high with its two ends, across the bar that it belongs to. */
  const whisker = (_, api) => {
    const row = api.value(0);
    const [from, y] = api.coord([api.value(1), row]);
    const [to] = api.coord([api.value(2), row]);
    const line = (x1, y1, x2, y2) => ({
      type: 'line', shape: {x1, y1, x2, y2}, style: {stroke: INK, lineWidth: 1.5},
    });
    const end = 5;
    return {type: 'group', children: [
      line(from, y, to, y), line(from, y - end, from, y + end), line(to, y - end, to, y + end),
    ]};
  };

  // An interval over two or three trials may be a thousand times its figure: it leaves the chart
  // to the right instead of pressing the bars flat.
  const bars = (chart) => ({
    grid: {left: 2, right: 14, top: 6, bottom: 22},
    xAxis: {
      type: 'value', min: 0, splitNumber: 3,
      max: ({max}) => Math.min(max, 2 * Math.max(...chart.bars.map((bar) => bar.value))),
      axisLabel: {color: SOFT, fontSize: 11, hideOverlap: true, formatter: chart.time ? time : rate},
      splitLine: {lineStyle: {color: LINE}},
    },
    yAxis: {
      type: 'category', inverse: true, data: chart.bars.map((bar) => bar.name),
      axisTick: {show: false}, axisLine: {lineStyle: {color: SOFT}}, z: 10,
      axisLabel: {
        inside: true, margin: 0, verticalAlign: 'bottom', padding: [0, 0, 10, 4], fontSize: 12,
        formatter: (name, at) => `{name|${name}}  {figure|${chart.bars[at].text}}`,
        rich: {name: {color: INK, fontSize: 12}, figure: {color: SOFT, fontSize: 12}},
      },
    },
    series: [
      {
        type: 'bar', barWidth: 11, silent: true,
        data: chart.bars.map((bar) => ({value: bar.value, itemStyle: {color: colour(bar.series)}})),
      },
      {
        type: 'custom', clip: true, silent: true, renderItem: whisker, z: 5,
        encode: {x: [1, 2], y: 0},
        data: chart.bars.map((bar, row) => [row, bar.low, bar.high]).filter((bar) => bar[1] !== null),
      },
    ],
  });

  const percentile = (x) => {
    const nines = Math.round(x);
    return nines === 0 ? '0' : nines === 1 ? '90' : nines === 2 ? '99' : `99.${'9'.repeat(nines - 2)}`;
  };
  const level = (x) => {
    const percent = 100 * (1 - 10 ** -x);
    return `p${String(Number(percent.toFixed(Math.max(0, Math.ceil(x)))))}`;
  };

  const curves = (chart) => ({
    grid: {left: 56, right: 14, top: 10, bottom: 40},
    tooltip: {
      trigger: 'axis', confine: true, transitionDuration: 0,
      backgroundColor: 'var(--paper)', borderColor: LINE, textStyle: {color: INK, fontSize: 12},
      formatter: (points) => {
        // built from text nodes: names are the user's own
        const box = document.createElement('div');
        box.append(points.length ? level(points[0].value[0]) : '');
        for (const point of points) {
          const row = document.createElement('div');
          row.textContent = `${point.seriesName}: ${time(point.value[1])}`;
          box.append(row);
        }
        return box;
      },
    },
    xAxis: {
      type: 'value', min: 0, interval: 1, name: 'percentile', nameLocation: 'middle', nameGap: 24,
      nameTextStyle: {color: SOFT, fontSize: 11},
      max: Math.max(1, Math.ceil(Math.max(...chart.curves.map((c) => c.points[c.points.length - 1][0])) - 1e-9)),
      axisLabel: {color: SOFT, fontSize: 11, formatter: percentile},
      axisLine: {lineStyle: {color: SOFT}}, splitLine: {lineStyle: {color: LINE}},
    },
    yAxis: {
      type: 'log', axisLabel: {color: SOFT, fontSize: 11, formatter: time},
      splitLine: {lineStyle: {color: LINE}},
    },
    series: chart.curves.map((curve) => ({
      type: 'line', name: curve.name, data: curve.points, showSymbol: false, symbol: 'none',
      emphasis: {disabled: true}, itemStyle: {color: colour(curve.series)},
      lineStyle: {color: colour(curve.series), width: 2, type: DASHES[curve.series % DASHES.length]},
    })),
  });

  const charts = JSON.parse(document.getElementById('charts').textContent);
  const drawn = [];
  for (const element of document.querySelectorAll('[data-chart]')) {
    const chart = charts[Number(element.dataset.chart)];
    if (chart.kind === 'bars') {
      element.style.height = `${34 + 42 * chart.bars.length}px`;
    }
    const instance = echarts.init(element, null, {renderer: 'svg'});
    instance.setOption({
      animation: false, textStyle: {fontFamily: getComputedStyle(document.body).fontFamily},
      ...(chart.kind === 'bars' ? bars(chart) : curves(chart)),
    });
    const svg = element.querySelector('svg');
    svg.setAttribute('aria-hidden', 'true');
    svg.setAttribute('focusable', 'false');
    drawn.push({element, instance});
  }

  let printing = false;
  new ResizeObserver(() => {
    // on paper the style sheet scales the drawing
    if (!printing) {
      drawn.forEach(({instance}) => instance.resize());
    }
  }).observe(document.querySelector('main'));

  const closed = [];
  addEventListener('beforeprint', () => {
    printing = true;
    for (const svg of document.querySelectorAll('.chart svg')) {
      const [width, height] = ['width', 'height'].map((name) => svg.getAttribute(name));
      svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    }
    for (const details of document.querySelectorAll('details:not([open])')) {
      closed.push(details);
      details.open = true;
    }
  });
  addEventListener('afterprint', () => {
    printing = false;
    for (const svg of document.querySelectorAll('.chart svg')) {
      svg.removeAttribute('viewBox');
    }
    closed.splice(0).forEach((details) => { details.open = false; });
  });

  // Not parsed and written again: seeds are 64-bit integers, which JavaScript would round.
  const results = document.getElementById('results').textContent;
  document.getElementById('download').href =
    URL.createObjectURL(new Blob([results], {type: 'application/json'}));
})();
