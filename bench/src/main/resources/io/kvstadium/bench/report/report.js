'use strict';
// The page says everything without this script; it adds hovering, sorting, hiding of columns and the theme.
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  const digits = (value) => String(Number(value.toPrecision(3)));
  const scaled = (units) => (value) => {
    let unit = 0;
    let rest = value;
    while (rest >= 999.5 && unit < units.length - 1) {
      rest /= 1000;
      unit++;
    }
    return `${digits(rest)} ${units[unit]}`.trim();
  };
  const UNITS = {
    TIME: scaled(['ns', 'µs', 'ms', 's']),
    RATE: scaled(['/s', 'k/s', 'M/s', 'G/s']),
    NUMBER: scaled(['', 'k', 'M', 'G', 'T']),
    PERCENTILE: (x) => `p${Number((100 * (1 - 10 ** -x)).toFixed(Math.max(0, Math.ceil(x))))}`,
  };

  /** The figure at a position of an axis. */
  const figure = (axis, at) => {
    const [unit, kind, ...numbers] = axis.split(' ');
    const [low, high, from, to] = numbers.map(Number);
    const share = (at - from) / (to - from);
    return UNITS[unit](kind === 'log' ? low * (high / low) ** share : low + share * (high - low));
  };

  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  document.body.append(tip);
  const quiet = () => {
    tip.hidden = true;
    all('.chart .on').forEach((line) => line.classList.remove('on'));
  };

  /** Shows the point nearest to the pointer, and its line. */
  const hover = (event) => {
    quiet();
    const chart = event.target.closest && event.target.closest('.chart[data-x]');
    const matrix = chart && chart.getScreenCTM();
    if (!matrix) {
      return;
    }
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    let nearest = {distance: 40};
    for (const line of all('.line', chart)) {
      for (const point of line.querySelector('polyline').points) {
        const distance = Math.hypot(point.x - place.x, point.y - place.y);
        if (distance < nearest.distance) {
          nearest = {distance, line, point};
        }
      }
    }
    if (nearest.line) {
      const {line, point} = nearest;
      line.classList.add('on');
      tip.textContent = [line.dataset.name, figure(chart.dataset.x, point.x), figure(chart.dataset.y, point.y)].join('\n');
      tip.hidden = false;
      tip.style.left = `${Math.min(event.pageX + 12, document.documentElement.clientWidth - tip.offsetWidth - 4)}px`;
      tip.style.top = `${event.pageY + 12}px`;
    }
  };
  // a title would be shown as well
  for (const title of all('.line > title')) {
    title.parentNode.dataset.name = title.textContent;
    title.remove();
  }
  document.addEventListener('pointermove', hover);
  document.addEventListener('pointerleave', quiet);

  /** The first figure of a cell, as a number in its base unit; missing ones sort last. */
  const PREFIXES = {n: 1e-9, µ: 1e-6, m: 1e-3, K: 1e3, k: 1e3, M: 1e6, G: 1e9, T: 1e12};
  const amount = (cell) => {
    const found = /(\d[\d,]*(?:\.\d+)?)\s*([nµmKkMGT](?=s|i?B|\/|$))?/.exec(cell.firstChild ? cell.textContent.trim() : '');
    return found ? Number(found[1].replace(/,/g, '')) * (PREFIXES[found[2]] || 1) : NaN;
  };

  /** Sorts by a column's figures, or by names; a second click reverses the order. */
  const sort = (table, heads, at) => {
    const down = heads[at].ariaSort === 'ascending';
    heads.forEach((head) => { head.ariaSort = null; });
    heads[at].ariaSort = down ? 'descending' : 'ascending';
    const compare = (a, b) => {
      const [one, other] = [a.cells[at], b.cells[at]];
      const words = at === 0 || heads[at].classList.contains('w');
      const difference = words ? one.textContent.localeCompare(other.textContent) : amount(one) - amount(other);
      return Number.isNaN(difference) ? Number.isNaN(amount(one)) - Number.isNaN(amount(other)) : down ? -difference : difference;
    };
    for (const body of table.tBodies) {
      const rows = [...body.rows].filter((row) => row.cells.length === heads.length);
      body.append(...rows.sort(compare));
    }
  };
  for (const table of all('table')) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, at) => {
      head.tabIndex = 0;
      head.classList.add('sorts');
      const go = (event) => {
        if (event.type === 'click' || event.key === 'Enter') {
          sort(table, heads, at);
        }
      };
      head.addEventListener('click', go);
      head.addEventListener('keydown', go);
    });
  }

  /** Lets the reader choose rows by the words in some columns. */
  for (const board of all('[data-filters]')) {
    const table = board.querySelector('table');
    const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent);
    const rows = [...table.tBodies[0].rows];
    const chosen = new Map();
    const choices = document.createElement('p');
    choices.className = 'choices';
    for (const name of board.dataset.filters.split(' ')) {
      const at = heads.indexOf(name);
      const label = document.createElement('label');
      const select = document.createElement('select');
      select.add(new Option('all', ''));
      [...new Set(rows.map((row) => row.cells[at].textContent))].sort().forEach((word) => select.add(new Option(word)));
      select.addEventListener('change', () => {
        chosen.set(at, select.value);
        for (const row of rows) {
          row.hidden = [...chosen].some(([column, word]) => word && row.cells[column].textContent !== word);
        }
      });
      label.append(`${name} `, select);
      choices.append(label);
    }
    board.prepend(choices);
  }

  /** Lets the reader hide columns of a table, but not the first one. */
  for (const table of all('table')) {
    const heads = [...table.tHead.rows[0].cells];
    if (heads.length < 4) {
      continue;
    }
    const choice = document.createElement('details');
    choice.className = 'columns';
    choice.append(document.createElement('summary'));
    choice.firstChild.textContent = 'columns';
    heads.slice(1).forEach((head, before) => {
      const label = document.createElement('label');
      const box = document.createElement('input');
      box.type = 'checkbox';
      box.checked = true;
      box.addEventListener('change', () => {
        for (const row of table.rows) {
          if (row.cells.length === heads.length) {
            row.cells[before + 1].hidden = !box.checked;
          }
        }
      });
      label.append(box, ` ${head.textContent}`);
      choice.append(label);
    });
    table.before(choice);
  }

  const closed = [];
  addEventListener('beforeprint', () => {
    for (const details of all('details:not([open])')) {
      closed.push(details);
      details.open = true;
    }
  });
  addEventListener('afterprint', () => closed.splice(0).forEach((details) => { details.open = false; }));

  const theme = document.getElementById('theme');
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
})();
