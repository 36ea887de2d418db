'use strict';
(() => {
  const DASHES = ['solid', [7, 3], [2, 2], [9, 3, 2, 3]];
  const MARKERS = ['circle', 'rect', 'triangle', 'diamond'];
  // Colours are the page's own variables: another theme and print then need no second drawing.
  const INK = 'var(--ink)';
  const SOFT = 'var(--soft)';
  const LINE = 'var(--line)';
  // as the class Key has it
  const colour = (series) => `var(--s${series % 8})`;
  const dash = (series) => DASHES[(series + Math.floor(series / 8)) % 4];
  // the latter four are the former, hollow; the library's own hollow ones are white in any theme
  const look = (series) => {
    const number = (series + 3 * Math.floor(series / 8)) % 8;
    return {symbol: MARKERS[number % 4], itemStyle: number < 4 ? {color: colour(series)} : hollow(series)};
  };
  const hollow = (series) => ({color: 'var(--paper)', borderColor: colour(series), borderWidth: 1.5});

  const byId = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const element = (name, text) => {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
  };

  /** What stands packed in an element: deflated and in Base64. */
  const unpacked = (id) => {
    const bytes = Uint8Array.from(atob(byId(id).textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return new Response(stream).text();
  };

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
  const percentile = (x) => {
    const nines = Math.round(x);
    return nines === 0 ? '0' : nines === 1 ? '90' : nines === 2 ? '99' : `99.${'9'.repeat(nines - 2)}`;
  };
  const level = (x) => {
    const percent = 100 * (1 - 10 ** -x);
    return `p${String(Number(percent.toFixed(Math.max(0, Math.ceil(x)))))}`;
  };
  const FORMS = {
    percentile,
    time: (nanos) => scaled(nanos, ['ns', 'µs', 'ms', 's']),
    rate: (perSecond) => scaled(perSecond, ['/s', 'k/s', 'M/s', 'G/s']),
    seconds: (seconds) => digits(seconds),
    number: (value) => scaled(value, ['', 'k', 'M', 'G', 'T']).trim(),
    ratio: digits,
  };

  const line = (x1, y1, x2, y2, stroke = INK, lineWidth = 1.5) =>
    ({type: 'line', shape: {x1, y1, x2, y2}, style: {stroke, lineWidth}});

  /** The line from low to high with its two ends, across the bar that it belongs to. */
  const across = (_, api) => {
    const [from, y] = api.coord([api.value(1), api.value(0)]);
    const [to] = api.coord([api.value(2), api.value(0)]);
    return {type: 'group', children: [
      line(from, y, to, y), line(from, y - 5, from, y + 5), line(to, y - 5, to, y + 5),
    ]};
  };

  /** The same upright, at a point of a line. */
  const upright = (series) => (_, api) => {
    const [x, low] = api.coord([api.value(0), api.value(1)]);
    const [, high] = api.coord([api.value(0), api.value(2)]);
    const ink = colour(series);
    return {type: 'group', children: [
      line(x, low, x, high, ink), line(x - 4, low, x + 4, low, ink), line(x - 4, high, x + 4, high, ink),
    ]};
  };

  // An interval over two or three trials may be a thousand times its figure: it leaves the chart
  // to the right instead of pressing the bars flat.
  const bars = (chart) => ({
    grid: {left: 2, right: 14, top: 6, bottom: 22},
    xAxis: {
      type: 'value', min: 0, splitNumber: 3,
      max: ({max}) => Math.min(max, 2 * Math.max(...chart.bars.map((bar) => bar.value))),
      axisLabel: {color: SOFT, fontSize: 11, hideOverlap: true, formatter: chart.time ? FORMS.time : FORMS.rate},
      splitLine: {lineStyle: {color: LINE}},
    },
    yAxis: {
      type: 'category', inverse: true, data: chart.bars.map((bar) => bar.name),
      axisTick: {show: false}, axisLine: {lineStyle: {color: SOFT}}, z: 10,
      axisLabel: {
        inside: true, margin: 0, interval: 0, verticalAlign: 'bottom', padding: [0, 0, 10, 4], fontSize: 12,
        formatter: (name, at) => `{name|${name}}  {figure|${chart.bars[at].text}}`,
        rich: {name: {color: INK, fontSize: 12}, figure: {color: SOFT, fontSize: 12}},
      },
    },
    series: [
      {
        type: 'bar', barWidth: chart.bars.length > 12 ? 7 : 11, silent: true,
        data: chart.bars.map((bar) => ({value: bar.value, itemStyle: {color: colour(bar.series)}})),
      },
      {
        type: 'custom', clip: true, silent: true, renderItem: across, z: 5,
        encode: {x: [1, 2], y: 0},
        data: chart.bars.map((bar, row) => [row, bar.low, bar.high]).filter((bar) => bar[1] != null),
      },
    ],
  });

  const tooltip = (trigger, formatter) => ({
    trigger, confine: true, transitionDuration: 0, formatter,
    backgroundColor: 'var(--paper)', borderColor: LINE, textStyle: {color: INK, fontSize: 12},
  });

  /** Built from text nodes: names are the user's own. */
  const box = (lines) => {
    const made = document.createElement('div');
    made.append(...lines.map((text) => element('div', text)));
    return made;
  };

  const axis = (own, more) => ({
    type: own.log ? 'log' : 'value', name: own.name, nameLocation: 'middle',
    nameTextStyle: {color: SOFT, fontSize: 11},
    axisLabel: {color: SOFT, fontSize: 11, hideOverlap: true, formatter: FORMS[own.unit]},
    axisLine: {lineStyle: {color: SOFT}}, splitLine: {lineStyle: {color: LINE}}, ...more,
  });

  /** The end of an axis of percentiles: the last whole nine. */
  const nines = (chart) =>
    Math.max(1, Math.ceil(Math.max(...chart.lines.map((l) => l.points[l.points.length - 1][0])) - 1e-9));

  /** Ticks for garbage collections and bars for compactions, a row for each line. */
  const strip = (row, own, rows) => ({
    type: 'custom', xAxisIndex: 1, yAxisIndex: 1, silent: true, clip: true,
    encode: {x: [0, 1], y: 2},
    data: [
      ...own.strip.compactions.map((i) => [i * own.strip.step, (i + 1) * own.strip.step, row, 1]),
      ...own.strip.collections.map((i) => [(i + 0.5) * own.strip.step, (i + 0.5) * own.strip.step, row, 0]),
    ],
    renderItem: (_, api) => {
      const [from, y] = api.coord([api.value(0), api.value(2)]);
      const [to] = api.coord([api.value(1), api.value(2)]);
      const half = rows > 12 ? 1.5 : 3.5;
      return api.value(3) === 1
        ? {type: 'rect', shape: {x: from, y: y, width: Math.max(1, to - from), height: half}, style: {fill: colour(own.series)}}
        : line(from, y - half, from, y, INK, 1);
    },
  });

  const lines = (chart) => {
    const course = chart.x.unit === 'seconds';
    const stripped = chart.lines.filter((own) => own.strip && own.strip.collections.length + own.strip.compactions.length);
    const rowHeight = stripped.length > 12 ? 4 : 9;
    const foot = 44 + (stripped.length ? stripped.length * rowHeight + 6 : 0);
    const end = course ? Math.max(...chart.lines.map((own) => (own.points.length ? own.points[own.points.length - 1][0] : 0) + own.strip.step / 2)) : undefined;
    const range = chart.x.unit === 'percentile' ? {min: 0, interval: 1, max: nines(chart)} : course ? {min: 0, max: end} : {scale: true};
    const grids = [{left: 74, right: 20, top: 12, bottom: foot, outerBoundsMode: 'none'}];
    const xAxes = [axis(chart.x, {...range, nameGap: 26})];
    const yAxes = [axis(chart.y, {nameGap: 54, min: chart.y.log ? undefined : 0})];
    const series = [];
    chart.lines.forEach((own, number) => {
      const ink = colour(own.series);
      const few = own.points.length <= 14 && !own.dashed;
      series.push({
        type: 'line', name: own.name, showSymbol: true, symbol: 'none', symbolSize: 7,
        emphasis: {focus: chart.lines.length > 3 ? 'series' : 'none', lineStyle: {width: 2}},
        itemStyle: {color: ink},
        lineStyle: {color: ink, width: own.dashed ? 1.25 : 2, type: own.dashed ? [3, 3] : dash(own.series)},
        data: own.points.map((value, at) => ({
          value,
          // markers here and there, not at the same places of all lines
          ...(few || (!own.dashed && (at + number * 3) % (course ? 24 : 9) === 4) ? look(own.series) : {symbol: 'none'}),
        })),
        ...(number === 0 && chart.limit != null ? {markLine: {
          silent: true, symbol: 'none', data: [{yAxis: chart.limit}],
          label: {formatter: `limit ${FORMS[chart.y.unit](chart.limit)}`, position: 'insideStartTop', color: INK},
          lineStyle: {color: 'var(--bad)', type: 'solid', width: 1.5},
        }} : {}),
      });
      if (own.whiskers.length) {
        series.push({type: 'custom', name: own.name, silent: true, clip: true, tooltip: {show: false}, renderItem: upright(own.series), encode: {x: 0, y: [1, 2]}, data: own.whiskers});
      }
      if (own.hollow.length) {
        series.push({type: 'scatter', name: `${own.name}, projected`, symbol: 'circle', symbolSize: 10, itemStyle: hollow(own.series), data: own.hollow});
      }
    });
    if (stripped.length) {
      grids.push({left: 74, right: 20, height: stripped.length * rowHeight, bottom: 4, outerBoundsMode: 'none'});
      xAxes.push({gridIndex: 1, type: 'value', min: 0, max: end, show: false});
      yAxes.push({gridIndex: 1, type: 'category', inverse: true, show: false, data: stripped.map((own) => own.name)});
      stripped.forEach((own, row) => series.push(strip(row, own, stripped.length)));
    }
    const at = FORMS[chart.x.unit];
    return {
      grid: grids, xAxis: xAxes, yAxis: yAxes, series,
      tooltip: tooltip(course && chart.lines.length > 12 ? 'item' : 'axis', (given) => {
        const points = Array.isArray(given) ? given : [given];
        const head = points.length ? (chart.x.unit === 'percentile' ? level(points[0].value[0]) : `${at(points[0].value[0])} ${chart.x.name}`) : '';
        return box([head, ...points.filter((p) => p.seriesType !== 'custom')
          .map((p) => `${p.seriesName}: ${FORMS[chart.y.unit](p.value[1])}`)]);
      }),
    };
  };

  const COSTS = {space: ['bytes on disk per live byte', 'ratio'], cpu: ['processor time per operation', 'time']};
  const LATENCIES = {p50: 'median latency', p99: 'p99 latency', time: 'time per operation'};

  /** Each configuration's place by the axes that were chosen, cheapest first; best: none beats it. */
  const places = (chart, choice) => {
    const found = chart.spots.map((spot) => {
      const own = spot.phases[choice.phase];
      return {...spot, x: choice.x === 'space' ? spot.space : own && own.cpu, y: own && own[choice.y]};
    }).filter((spot) => spot.x != null && spot.y != null);
    found.sort((a, b) => a.x - b.x || a.y - b.y);
    let least = Infinity;
    for (const spot of found) {
      spot.best = spot.y < least;
      least = Math.min(least, spot.y);
    }
    return found;
  };

  const scatter = (chart, choice) => {
    const found = places(chart, choice);
    const [name, unit] = COSTS[choice.x];
    const spread = (key) => {
      const values = found.map((spot) => spot[key]).filter((value) => value > 0);
      return Math.max(...values) > 10 * Math.min(...values);
    };
    const best = found.filter((spot) => spot.best);
    return {
      grid: {left: 74, right: 24, top: 24, bottom: 44, outerBoundsMode: 'none'},
      xAxis: axis({name, unit, log: spread('x')}, {nameGap: 26, scale: true, boundaryGap: ['6%', '12%']}),
      yAxis: axis({name: LATENCIES[choice.y], unit: 'time', log: spread('y')}, {nameGap: 54, scale: true, boundaryGap: ['6%', '12%']}),
      tooltip: tooltip('item', (p) => box([p.name, `${FORMS[unit](p.value[0])} ${name}`, `${FORMS.time(p.value[1])} ${LATENCIES[choice.y]}`])),
      series: [
        {type: 'line', silent: true, symbol: 'none', data: best.map((spot) => [spot.x, spot.y]), lineStyle: {color: SOFT, width: 1, type: [4, 3]}},
        {
          type: 'scatter', symbolSize: 11,
          data: found.map((spot) => ({
            name: spot.name, value: [spot.x, spot.y], ...look(spot.series),
            label: {show: spot.best || found.length <= 12, formatter: () => spot.name, position: 'top', color: INK, fontWeight: spot.best ? 'bold' : 'normal', fontSize: 12},
          })),
          labelLayout: {hideOverlap: true},
        },
      ],
    };
  };

  /** The same places in words. */
  const tabled = (table, chart, choice) => {
    const [name, unit] = COSTS[choice.x];
    const heads = table.tHead.rows[0].cells;
    heads[1].textContent = name;
    heads[2].textContent = `${LATENCIES[choice.y]}, ${chart.phases[choice.phase]}`;
    table.tBodies[0].replaceChildren(...places(chart, choice).map((spot) => {
      const row = document.createElement('tr');
      const head = element('th', spot.name);
      head.scope = 'row';
      const cells = [FORMS[unit](spot.x), FORMS.time(spot.y), spot.best ? 'beaten by none' : 'beaten by another']
        .map((text) => element('td', text));
      cells[0].className = 'n';
      cells[1].className = 'n';
      row.append(head, ...cells);
      return row;
    }));
  };

  /** Lets the reader choose the axes; begins with what most configurations have figures for. */
  const choosable = (place, chart, draw) => {
    const part = place.closest('.scatter');
    const table = part.querySelector('table');
    const selects = Object.fromEntries([...part.querySelectorAll('select')].map((s) => [s.dataset.of, s]));
    chart.phases.forEach((name, at) => selects.phase.append(new Option(name, at)));
    const choice = () => ({x: selects.x.value, y: selects.y.value, phase: Number(selects.phase.value)});
    let most = -1;
    for (const x of ['space', 'cpu']) {
      chart.phases.forEach((_, phase) => ['p50', 'p99', 'time'].forEach((y) => {
        const count = places(chart, {x, y, phase}).length;
        if (count > most) {
          most = count;
          selects.x.value = x;
          selects.y.value = y;
          selects.phase.value = phase;
        }
      }));
    }
    const show = () => {
      tabled(table, chart, choice());
      draw(choice());
    };
    part.addEventListener('change', show);
    part.querySelector('.choices').hidden = false;
    tabled(table, chart, choice());
    return choice;
  };

  const save = (name, type, text) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], {type}));
    link.download = name.replace(/[^\p{L}\p{N}.]+/gu, '-');
    link.click();
    URL.revokeObjectURL(link.href);
  };

  /** The log of HdrHistogram, version 1.3: a line for each configuration, which its tag names. */
  const log = (file) => [
    '#[Histogram log format version 1.3]',
    '#[Latencies in nanoseconds; the tag is the configuration and the kind of latency]',
    '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"',
    ...file.recordings.map((own) =>
      `Tag=${own.name}:${own.kind}`.replace(/[\s,"]+/g, '_')
        + `,0.000,${own.seconds.toFixed(3)},${(own.max / 1e6).toFixed(3)},${own.histograms[0]}`),
    '',
  ].join('\n');

  const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
  const csv = (chart) => ['configuration,percentile,nanoseconds',
    ...chart.lines.flatMap((own) => own.points.map(([x, y]) =>
      `${quoted(own.name)},${Number((100 * (1 - 10 ** -x)).toPrecision(7))},${y}`)), ''].join('\n');

  const drawn = new Map();
  let charts = [];

  const draw = (place) => {
    if (drawn.has(place) || place.clientWidth === 0) {
      return;
    }
    const chart = charts[Number(place.dataset.chart)];
    const instance = echarts.init(place, null, {renderer: 'svg'});
    const option = (of) => ({
      animation: false, textStyle: {fontFamily: getComputedStyle(document.body).fontFamily}, ...of,
    });
    const hide = () => {
      const svg = place.querySelector('svg');
      svg.setAttribute('aria-hidden', 'true');
      svg.setAttribute('focusable', 'false');
    };
    drawn.set(place, instance);
    if (chart.kind === 'scatter') {
      const show = (choice) => {
        instance.setOption(option(scatter(chart, choice)), true);
        hide();
      };
      show(choosable(place, chart, show)());
    } else {
      instance.setOption(option(chart.kind === 'bars' ? bars(chart) : lines(chart)));
      hide();
    }
  };

  const spaces = () => all('[data-chart]');
  let printing = false;

  const begin = ([library, given]) => {
    const script = document.createElement('script');
    script.textContent = library;
    document.head.append(script);
    charts = JSON.parse(given);
    for (const place of spaces()) {
      const chart = charts[Number(place.dataset.chart)];
      if (chart.kind === 'bars') {
        place.style.height = `${34 + (chart.bars.length > 12 ? 32 : 42) * chart.bars.length}px`;
      } else if (chart.kind === 'lines') {
        const rows = chart.lines.filter((own) => own.strip).length;
        place.style.height = `${270 + rows * (rows > 12 ? 4 : 9)}px`;
      }
    }
    const seen = new IntersectionObserver((entries) => {
      for (const entry of entries.filter((each) => each.isIntersecting)) {
        draw(entry.target);
        seen.unobserve(entry.target);
      }
    }, {rootMargin: '500px'});
    spaces().forEach((place) => seen.observe(place));
    // what was folded away had no size to be drawn in
    document.addEventListener('toggle', (event) => {
      event.target.querySelectorAll('[data-chart]').forEach((place) => seen.observe(place));
    }, true);
    new ResizeObserver(() => {
      // on paper the style sheet scales the drawing
      if (!printing) {
        drawn.forEach((instance, place) => place.clientWidth > 0 && instance.resize());
      }
    }).observe(document.querySelector('main'));
    for (const button of all('[data-csv]')) {
      const chart = charts[Number(button.dataset.csv)];
      button.hidden = false;
      button.addEventListener('click', () => save(`${chart.title.split(':')[0]}.csv`, 'text/csv', csv(chart)));
    }
  };

  const closed = [];
  addEventListener('beforeprint', () => {
    printing = true;
    for (const details of all('details:not([open])')) {
      closed.push(details);
      details.open = true;
    }
    if (charts.length) {
      spaces().forEach(draw);
    }
    for (const svg of all('.chart svg')) {
      const [width, height] = ['width', 'height'].map((name) => svg.getAttribute(name));
      svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    }
  });
  addEventListener('afterprint', () => {
    printing = false;
    for (const svg of all('.chart svg')) {
      svg.removeAttribute('viewBox');
    }
    closed.splice(0).forEach((details) => { details.open = false; });
  });

  const theme = byId('theme');
  const dark = () => theme.getAttribute('aria-pressed') === 'true';
  const pressed = (on) => theme.setAttribute('aria-pressed', String(on));
  const system = matchMedia('(prefers-color-scheme: dark)');
  pressed(system.matches);
  system.addEventListener('change', () => {
    if (!document.documentElement.dataset.theme) {
      pressed(system.matches);
    }
  });
  theme.hidden = false;
  theme.addEventListener('click', () => {
    pressed(!dark());
    document.documentElement.dataset.theme = dark() ? 'dark' : 'light';
  });

  const trouble = (error) => {
    const place = byId('trouble');
    place.textContent = `This browser could not draw the charts (${error.message}); the tables hold the same figures.`;
    place.hidden = false;
  };

  if (byId('histograms').textContent) {
    for (const button of all('[data-log]')) {
      button.hidden = false;
      button.addEventListener('click', () => unpacked('histograms').then((text) => {
        const file = JSON.parse(text)[Number(button.dataset.log)];
        save(`${file.name}.hlog`, 'text/plain', log(file));
      }, trouble));
    }
  }
  const download = byId('download');
  if (download) {
    download.hidden = false;
    // Not parsed and written again: seeds are 64-bit integers, which JavaScript would round.
    download.addEventListener('click', () => unpacked('results')
      .then((text) => save('results.json', 'application/json', text), trouble));
  }

  window.report = {
    unpacked,
    log: (number) => unpacked('histograms').then((text) => log(JSON.parse(text)[number])),
    ready: Promise.all([unpacked('library'), unpacked('charts')]).then(begin).catch(trouble),
  };
})();
