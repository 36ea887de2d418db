'use strict';
// What is shown in the main part. Each view draws what the address says.

const utf8 = new TextEncoder();
const hex = array => Array.from(array, b => b.toString(16).padStart(2, '0')).join('');
const ofBase64 = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
const toBase64 = array => { let s = ''; for (const b of array) s += String.fromCharCode(b); return btoa(s); };
const ofHex = text => Uint8Array.from(text.match(/../g) || [], pair => parseInt(pair, 16));

/** A key as it is typed: hexadecimal after 0x, a number or UUID where the keys are, otherwise text. */
function typedKey(text, decoder) {
  if (/^0x([0-9a-f]{2})*$/i.test(text)) return text.slice(2).toLowerCase();
  const width = {int: 4, 'int32-be': 4, 'uint32-be': 4, 'int32-le': 4, long: 8, 'int64-be': 8, 'uint64-be': 8, 'any-int64-be': 8, 'int64-le': 8}[decoder];
  if (width && /^-?\d+$/.test(text)) {
    let n = BigInt.asUintN(width * 8, BigInt(text));
    if (decoder === 'int' || decoder === 'long') n ^= 1n << BigInt(width * 8 - 1);
    const digits = n.toString(16).padStart(width * 2, '0');
    return decoder.endsWith('-le') ? digits.match(/../g).reverse().join('') : digits;
  }
  if (decoder === 'uuid' && /^[0-9a-f-]{36}$/i.test(text)) return text.replaceAll('-', '').toLowerCase();
  return hex(utf8.encode(text));
}

function field(label, control, wide) {
  return el('label', {class: wide ? 'wide' : null}, label, control);
}

/** A choice of decoders; what the table's own is guessed to be comes first. */
function decoders(kind, guessed) {
  const chosen = page.decoder(kind);
  const names = page.store.decoders.includes(chosen) || !chosen ? page.store.decoders : [chosen, ...page.store.decoders];
  const select = el('select', {change: () => {
    const value = select.value === 'tuple…' ? prompt('The components, such as string,long') || '' : select.value;
    page.decoder(kind, value);
    page.go({[kind]: value, again: Date.now()});
  }}, el('option', {value: ''}, 'guessed: ' + guessed),
    names.map(name => el('option', {value: name, selected: name === chosen}, name)), el('option', {}, 'tuple…'));
  return field(kind === 'keys' ? 'Keys as' : 'Values as', select);
}

// ---- entries --------------------------------------------------------------------------------------

const entries = {
  name: 'entries', title: 'Entries',
  chosen: new Set(),

  async draw() {
    const place = page.place;
    entries.chosen.clear();
    const first = place.from || '';
    const last = place.end ? {last: 1} : {};
    const answer = await ask('entries', page.asked({prefix: place.prefix, from: first, ...last}));
    if (place !== page.place) return []; // another place was asked for meanwhile, and may be shown already
    entries.answer = answer;
    const body = el('tbody', {}, answer.entries.map(entries.row));
    const input = el('input', {type: 'search', placeholder: 'text, or 0x00ff', 'aria-keyshortcuts': '/', autocomplete: 'off', spellcheck: 'false'});
    const isPrefix = el('input', {type: 'checkbox', checked: Boolean(place.prefix)});
    const seek = event => {
      event.preventDefault();
      const key = (answer.served && input.value ? '6b' : '') + typedKey(input.value, answer.keys);
      page.go({from: isPrefix.checked ? '' : key, prefix: isPrefix.checked ? key : '', key: '', end: ''});
      input.blur();
    };
    const jump = end => page.go({from: '', key: '', end});
    const writable = page.store.writable;
    entries.body = body;
    entries.earlier = el('button', {type: 'button', click: () => entries.more(true)}, 'Earlier');
    entries.later = el('button', {type: 'button', click: () => entries.more(false)}, 'Later');
    entries.earlier.hidden = place.end ? !answer.more : !first;
    entries.later.hidden = place.end || !answer.more;
    entries.detail = el('div', {class: 'box'});
    Object.assign(page.keys, {
      j: () => entries.move(1), ArrowDown: () => entries.move(1), k: () => entries.move(-1), ArrowUp: () => entries.move(-1),
      Home: () => jump(''), End: () => jump('1'), Escape: () => page.go({key: ''}),
    });
    return [
      el('form', {class: 'tools', submit: seek},
        field('Go to key', input, true),
        el('label', {class: 'tick'}, isPrefix, 'only this prefix'),
        el('button', {}, 'Go'),
        el('button', {type: 'button', click: () => page.go({from: '', prefix: '', key: '', end: ''})}, 'First'),
        el('button', {type: 'button', click: () => jump('1')}, 'Last'),
        decoders('keys', answer.keys), decoders('values', answer.values),
        writable ? el('button', {type: 'button', click: () => entries.open(editor(null))}, 'New entry') : null,
        writable ? el('button', {type: 'button', click: entries.deleteChosen}, 'Delete selected') : null),
      answer.damage ? el('p', {class: 'notice', role: 'alert'}, 'Reading ended here: ', visible(answer.damage)) : null,
      place.prefix ? el('p', {class: 'small soft'}, 'Only keys that begin with 0x' + place.prefix + '.') : null,
      el('div', {class: 'split'},
        el('div', {class: 'list'}, entries.earlier,
          el('table', {'aria-label': 'Entries'},
            el('thead', {}, el('tr', {}, writable ? el('th', {class: 'box'}, '') : null, el('th', {class: 'key'}, 'Key'), el('th', {}, 'Value'), el('th', {class: 'n'}, 'Bytes'))), body),
          answer.entries.length ? null : el('p', {class: 'soft'}, 'No entries here.'), entries.later),
        entries.detail),
    ].filter(Boolean);
  },

  after() {
    if (page.place.key) entries.showKey(page.place.key);
    entries.watcher?.disconnect();
    entries.watcher = new IntersectionObserver(seen => {
      if (seen.some(each => each.isIntersecting) && scrollY > 0) entries.more(false);
    }, {rootMargin: '300px'});
    entries.watcher.observe(entries.later);
  },

  row(line) {
    const box = page.store.writable ? el('td', {class: 'box'}, el('input', {
      type: 'checkbox', 'aria-label': 'Select ' + line.key,
      click: event => { event.stopPropagation(); entries.chosen[event.target.checked ? 'add' : 'delete'](line.id); },
    })) : null;
    const link = el('a', {href: page.link({key: line.id})}, el('span', {class: 'cut'}, visible(line.key)));
    return el('tr', {
      'data-id': line.id, 'aria-selected': String(line.id === page.place.key),
      click: event => { if (!event.target.closest('a, input')) link.click(); },
    }, box, el('td', {class: 'key'}, link), el('td', {}, el('span', {class: 'cut'}, visible(line.value))), el('td', {class: 'n'}, number(line.length)));
  },

  /** Adds entries before or after those that are shown; forgets those far away. */
  async more(earlier) {
    const edge = earlier ? entries.body.firstElementChild : entries.body.lastElementChild;
    const button = earlier ? entries.earlier : entries.later;
    if (!edge || button.disabled || button.hidden) return;
    button.disabled = true;
    try {
      const answer = await ask('entries', page.asked({prefix: page.place.prefix, [earlier ? 'before' : 'after']: edge.dataset.id}));
      const rows = answer.entries.map(entries.row);
      if (earlier) entries.body.prepend(...rows); else entries.body.append(...rows);
      button.hidden = !answer.more;
      if (answer.damage) page.say('Reading ended here: ' + answer.damage);
      while (entries.body.children.length > 1500) {
        (earlier ? entries.body.lastElementChild : entries.body.firstElementChild).remove();
        (earlier ? entries.later : entries.earlier).hidden = false;
      }
    } catch (e) {
      page.say(e.message);
    }
    button.disabled = false;
  },

  /** Moves the focus to another entry. */
  async move(step) {
    const rows = [...entries.body.children];
    const at = rows.indexOf(document.activeElement.closest?.('tr'));
    const next = at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step;
    if (next < 0 || next >= rows.length) {
      await entries.more(next < 0);
      const moved = next < 0 ? rows[0]?.previousElementSibling : rows.at(-1)?.nextElementSibling;
      moved?.querySelector('a').focus();
    } else rows[next].querySelector('a').focus();
  },

  open(content) { entries.detail.className = 'detail'; entries.detail.replaceChildren(...[content].flat()); },

  async showKey(id) {
    const place = page.place;
    try {
      const value = await ask('value', page.asked({key: id}));
      const content = await detail(id, value);
      if (place === page.place) entries.open(content);
    } catch (e) {
      page.say(e.message);
    }
  },

  async deleteChosen() {
    try {
      const changes = [];
      for (const id of entries.chosen) {
        const value = await ask('value', page.asked({key: id}));
        if (value.base64 === undefined) throw new Error('An entry above 1 MB cannot be undone from here: use stadium delete.');
        changes.push({key: id, expected: value.base64, value: null, shownKey: value.key, before: value.text});
      }
      if (changes.length) entries.open(review(changes));
    } catch (e) {
      page.say(e.message);
    }
  },
};

/** One entry, whole. */
async function detail(id, value) {
  const raw = 'api/raw?' + new URLSearchParams({table: page.place.table, key: id});
  const writable = value.base64 !== undefined && !entries.answer.served;
  const parts = [
    el('header', {}, el('h2', {class: 'mono'}, visible(value.key)), el('button', {type: 'button', click: () => page.go({key: ''})}, 'Close')),
    el('p', {class: 'small soft'}, `${number(value.length)} bytes, read as ${value.by}. Key 0x${id.length > 80 ? id.slice(0, 80) + '…' : id}`),
    value.complete ? null : el('p', {class: 'notice'}, 'This is the first megabyte; the download has all.'),
    el('div', {class: 'actions'},
      el('a', {href: raw, download: 'value.bin'}, 'Download'),
      el('a', {href: page.link({from: id, end: ''})}, 'Link to this place'),
      writable ? el('button', {type: 'button', click: () => entries.open(editor({id, ...value}))}, 'Edit') : null,
      writable ? el('button', {type: 'button', click: () => entries.open(review([{key: id, expected: value.base64, value: null, shownKey: value.key, before: value.text}]))}, 'Delete') : null),
  ];
  if (value.header) {
    const {kind, expires, elements} = value.header;
    parts.push(el('dl', {class: 'facts'}, fact('Type', kind), fact('Expires', expires || 'never'), elements < 0 ? null : fact('Elements', number(elements))));
  }
  if (value.header && value.header.elements >= 0) parts.push(await elementsOf(id));
  else {
    parts.push(el('pre', {'aria-label': 'Value', tabindex: 0, class: value.by === 'hex' ? 'dump' : null}, visible(value.text.length > 300000 ? value.text.slice(0, 300000) + '…' : value.text)));
    if (value.by !== 'hex') parts.push(el('details', {}, el('summary', {}, 'Bytes'), el('pre', {class: 'dump', tabindex: 0}, value.hex)));
  }
  return parts.filter(Boolean);
}

async function elementsOf(id) {
  const body = el('tbody');
  const more = el('button', {type: 'button', hidden: true}, 'More elements');
  const load = async from => {
    const answer = await ask('elements', page.asked({key: id, from}));
    body.append(...answer.elements.map(each => el('tr', {}, el('td', {}, visible(each.name)), el('td', {}, visible(each.value)))));
    more.hidden = !answer.next;
    more.onclick = () => load(answer.next);
  };
  await load('');
  return el('div', {}, el('table', {class: 'plain', 'aria-label': 'Elements'}, body), more);
}

const fact = (name, value) => el('div', {}, el('dt', {}, name), el('dd', {}, value));

// ---- changes --------------------------------------------------------------------------------------

/** A form for a new value, or a new entry. */
function editor(entry) {
  const before = entry ? ofBase64(entry.base64) : null;
  let text = '';
  let isText = true;
  try {
    text = before ? new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(before) : '';
    isText = !/[\u0000-\u0008\u000e-\u001f]/.test(text);
  } catch (e) { isText = false; }
  const key = el('input', {'aria-label': 'Key', placeholder: 'text, or 0x00ff'});
  const area = el('textarea', {'aria-label': 'New value'});
  area.value = isText ? text : '0x' + hex(before);
  const check = event => {
    event.preventDefault();
    const id = entry ? entry.id : typedKey(key.value, entries.answer.keys);
    const binary = !isText || /^0x([0-9a-f]{2})*$/i.test(area.value.trim());
    const after = binary ? ofHex(area.value.trim().slice(2)) : utf8.encode(area.value);
    entries.open(review([{
      key: id, expected: entry ? entry.base64 : null, value: toBase64(after), shownKey: entry ? entry.key : key.value,
      before: entry ? (isText ? text : '0x' + hex(before)) : null, after: area.value,
    }]));
  };
  return el('form', {submit: check},
    el('h2', {}, entry ? visible('Edit ' + entry.key) : 'New entry'),
    entry ? null : field('Key', key), area,
    el('p', {class: 'small soft'}, 'Text is written as UTF-8; 0x and hexadecimal digits as bytes.'),
    el('div', {class: 'actions'}, el('button', {}, 'Review'), el('button', {type: 'button', click: () => show()}, 'Cancel')));
}

/** The lines that differ. */
function difference(before, after) {
  const a = before === null || before === undefined ? [] : before.split('\n');
  const b = after === null || after === undefined ? [] : after.split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return el('pre', {class: 'diff', 'aria-label': 'Difference'},
    start ? `(${start} equal lines)\n` : null,
    a.slice(start, a.length - end).map(line => el('del', {}, visible(line))),
    b.slice(start, b.length - end).map(line => el('ins', {}, visible(line))),
    end ? `(${end} equal lines)` : null);
}

/** Shows what is about to change, and does it. */
function review(changes) {
  const write = el('button', {type: 'button', click: async () => {
    write.disabled = true;
    try {
      await ask('change', {}, {table: page.place.table, changes: changes.map(({key, expected, value}) => ({key, expected, value}))});
      page.go({key: '', again: Date.now()});
    } catch (e) {
      page.say(e.message);
      write.disabled = false;
    }
  }}, changes.every(each => each.value === null) ? `Delete ${changes.length === 1 ? 'it' : changes.length + ' entries'}` : 'Write');
  if (changes.every(each => each.value === each.expected)) return [el('p', {}, 'There is no difference.'), el('button', {type: 'button', click: () => show()}, 'Close')];
  return [
    el('h2', {}, 'Nothing is written yet'),
    ...changes.map(each => el('div', {}, el('p', {class: 'mono'}, visible(each.shownKey)), difference(each.before, each.after))),
    el('p', {class: 'small soft'}, `Written with durability ${page.store.durability}; it can be undone while this page's program runs.`),
    el('div', {class: 'actions'}, write, el('button', {type: 'button', click: () => show()}, 'Cancel')),
  ];
}

const changed = {
  name: 'changes', title: 'Changes', needed: () => page.store.writable,

  async draw() {
    const done = await ask('changes');
    const undo = id => async () => {
      try {
        await ask('undo', {id}, {});
        show();
      } catch (e) { page.say(e.message); }
    };
    return done.length === 0 ? [el('p', {}, 'Nothing was changed yet.')] : done.map(each => el('section', {},
      el('h3', {}, `${each.id} · ${each.time.slice(0, 19).replace('T', ' ')} UTC · `, visible(each.table)),
      each.changes.map(one => el('div', {}, el('p', {class: 'mono'}, visible(one.key)), difference(one.before, one.after))),
      el('button', {type: 'button', click: undo(each.id)}, 'Undo')));
  },
};

// ---- prefixes -------------------------------------------------------------------------------------

const prefixes = {
  name: 'prefixes', title: 'Prefixes',

  async draw() {
    const root = await prefixes.branches(page.place.prefix || '');
    return [el('p', {class: 'small soft'}, 'Keys by what they begin with, up to each ', el('code', {}, ': / |'), ' or component. Numbers with ≈ are estimates.'),
      el('ul', {class: 'tree', 'aria-label': 'Prefixes'}, root)];
  },

  async branches(prefix) {
    const answer = await ask('prefixes', page.asked({prefix}));
    const items = answer.branches.map(branch => {
      const count = el('span', {class: 'n'}, branch.group ? (branch.exact ? '' : '≈ ') + number(branch.count) : '');
      const link = el('a', {href: page.link(branch.group ? {view: 'entries', prefix: branch.id, from: '', key: ''} : {view: 'entries', key: branch.id, from: branch.id, prefix: ''})}, branch.group ? 'entries' : 'open');
      if (!branch.group) return el('li', {class: 'mono'}, visible(branch.text), ' ', link);
      const inner = el('ul', {hidden: true});
      const toggle = el('button', {type: 'button', 'aria-expanded': 'false', click: async () => {
        const open = inner.hidden;
        try {
          if (open && !inner.firstChild) inner.append(...await prefixes.branches(branch.id));
        } catch (e) { page.say(e.message); }
        inner.hidden = !open;
        toggle.setAttribute('aria-expanded', String(open));
      }}, el('span', {class: 'mono'}, visible(branch.text)));
      const exact = branch.exact ? null : el('button', {type: 'button', click: async () => {
        exact.disabled = true;
        try {
          count.textContent = number((await ask('count', {table: page.place.table, prefix: branch.id})).count);
          exact.remove();
        } catch (e) {
          page.say(e.message);
          exact.disabled = false;
        }
      }}, 'count');
      return el('li', {}, toggle, count, exact, ' ', link, inner);
    });
    return answer.more ? [...items, el('li', {class: 'soft small'}, 'and more: see the entries')] : items;
  },
};

// ---- search ---------------------------------------------------------------------------------------

const search = {
  name: 'search', title: 'Search',

  draw() {
    const text = el('input', {type: 'search', value: page.place.text || '', 'aria-label': 'Text'});
    const where = el('select', {}, ['both', 'keys', 'values'].map(each => el('option', {value: each, selected: each === page.place.in}, each === 'both' ? 'keys and values' : each)));
    search.status = el('p', {class: 'small soft', role: 'status'}, 'Looks at each entry from the first on; Go to key on the Entries page is immediate.');
    search.body = el('tbody');
    search.stop = el('button', {type: 'button', hidden: true, click: () => search.control.abort()}, 'Stop');
    search.on = el('button', {type: 'button', hidden: true}, 'Go on');
    const submit = event => {
      event.preventDefault();
      page.go({text: text.value, in: where.value, again: Date.now()});
    };
    return [el('form', {class: 'tools', submit}, field('Text, or 0x00ff', text, true), field('In', where), el('button', {}, 'Search'), search.stop, search.on),
      search.status, el('table', {'aria-label': 'Found'}, search.body)];
  },

  after() { if (page.place.text) search.run(''); },

  async run(from) {
    search.control?.abort();
    const control = search.control = new AbortController();
    const turn = page.shown;
    search.stop.hidden = false;
    search.on.hidden = true;
    let seen = 0;
    let last = {};
    const tell = what => { search.status.textContent = `${what}: ${number(seen)} entries looked at, ${search.body.children.length} found`; };
    try {
      await askLines('search', page.asked({text: page.place.text, in: page.place.in || 'both', from}), control.signal, line => {
        if (turn !== page.shown) { control.abort(); return; }
        if (line.hit) search.body.append(el('tr', {}, el('td', {class: 'key'}, el('a', {href: page.link({view: 'entries', key: line.hit.id, from: line.hit.id})}, visible(line.hit.key))), el('td', {}, el('span', {class: 'cut'}, visible(line.hit.value)))));
        else { seen = line.seen; last = line; }
        tell('Searching');
      });
      tell(last.next ? 'Enough for now' : 'Done');
      search.on.hidden = !last.next;
      search.on.onclick = () => search.run(last.next);
    } catch (e) {
      tell(e.name === 'AbortError' ? 'Stopped' : e.message);
    }
    search.stop.hidden = true;
  },
};

// ---- what it is made of ---------------------------------------------------------------------------

/** Places rectangles of these sizes in a rectangle, as square as they go (Bruls, Huizing, van Wijk). */
function treemap(sizes, width, height) {
  const total = sizes.reduce((a, b) => a + b, 0);
  const areas = sizes.map(size => size / total * width * height);
  const placed = [];
  let [x, y, w, h] = [0, 0, width, height];
  for (let i = 0; i < areas.length;) {
    const side = Math.min(w, h);
    let count = 1;
    const worst = n => {
      const row = areas.slice(i, i + n);
      const sum = row.reduce((a, b) => a + b, 0);
      return Math.max(side * side * row[0] / (sum * sum), sum * sum / (side * side * row.at(-1)));
    };
    while (i + count < areas.length && worst(count + 1) <= worst(count)) count++;
    const row = areas.slice(i, i + count);
    const sum = row.reduce((a, b) => a + b, 0);
    const depth = sum / side;
    let along = 0;
    for (const area of row) {
      const size = area / depth;
      placed.push(w < h ? [x + along, y, size, depth] : [x, y + along, depth, size]);
      along += size;
    }
    if (w < h) { y += depth; h -= depth; } else { x += depth; w -= depth; }
    i += count;
  }
  return placed;
}

/** Labelled numbers, the largest as long as there is room. */
function bars(title, rows, shown = number) {
  const max = Math.max(1, ...rows.map(([, value]) => value));
  return el('section', {}, el('h3', {}, title), el('div', {class: 'bars'}, rows.flatMap(([label, value]) => {
    const bar = el('div', {class: 'bar', role: 'presentation'});
    bar.style.width = 100 * value / max + '%';
    return [el('span', {}, label), bar, el('span', {class: 'soft'}, shown(value))];
  })));
}

const histogram = (title, buckets) => bars(title, buckets.map(each =>
  [each.from === each.to ? number(each.from) : `${number(each.from)} – ${number(each.to)}`, each.entries]));

const anatomy = {
  name: 'anatomy', title: 'What is it made of?',

  draw() {
    anatomy.status = el('p', {class: 'small soft', role: 'status'}, 'Sampling …');
    anatomy.result = el('div');
    return [anatomy.status, anatomy.result];
  },

  after() { anatomy.run(false); },

  async run(exact) {
    const control = new AbortController();
    const turn = page.shown;
    const stop = el('button', {type: 'button', click: () => control.abort()}, 'Stop');
    if (exact) anatomy.status.replaceChildren('Reading every entry … ', stop);
    try {
      await askLines('anatomy', {table: page.place.table, ...(exact ? {exact: 1} : {})}, control.signal, line => {
        if (turn !== page.shown) control.abort();
        else if (line.answer) anatomy.show(line.answer, line.names);
        else anatomy.status.replaceChildren(`${number(line.seen)} entries read … `, stop);
      });
    } catch (e) {
      anatomy.status.textContent = e.name === 'AbortError' ? 'Stopped.' : e.message;
    }
  },

  show(answer, names) {
    const about = answer.exact ? '' : '≈ ';
    anatomy.status.replaceChildren(answer.exact ? 'Every entry was read.' : 'Estimated from a sample. ',
      answer.exact ? '' : el('button', {type: 'button', click: () => anatomy.run(true)}, 'Read every entry'));
    const map = el('div', {class: 'map', 'aria-label': 'Space by prefix', role: 'group'});
    const shares = answer.prefixes.filter(each => each.bytes > 0);
    const facts = el('dl', {class: 'facts'}, fact('Entries', about + number(answer.entries)), fact('Keys', about + bytes(answer.keyBytes)), fact('Values', about + bytes(answer.valueBytes)),
      fact('Compressible', Math.round(100 * answer.compressible) + ' %'));
    const {name, engine, description} = page.store;
    const url = name.includes(':') ? name : `${engine}:${name}${description.includes('another program') ? '?adopt=true' : ''}`;
    const advice = page.store.copied ? null : el('p', {class: 'small soft'}, 'This is what ', el('code', {}, visible(`stadium advise --data '${url}'`)), ' looks at: it measures other engines with entries like these.');
    anatomy.result.replaceChildren(...[facts, advice].filter(Boolean), el('h3', {}, 'Space by prefix'), map,
      el('div', {class: 'columns'}, histogram('Bytes of keys', answer.keys), histogram('Bytes of values', answer.values)),
      el('h3', {}, answer.exact ? 'The largest entries' : 'The largest entries of the sample'),
      el('table', {'aria-label': 'Largest'}, el('tbody', {}, answer.largest.map(each => el('tr', {},
        el('td', {}, el('a', {href: page.link({view: 'entries', key: each.id, from: each.id})}, visible(names[each.id]))), el('td', {class: 'n'}, bytes(each.bytes)))))));
    const box = map.getBoundingClientRect();
    treemap(shares.map(each => each.bytes), box.width, box.height).forEach(([x, y, w, h], i) => {
      const each = shares[i];
      const label = `${names[each.id]} ${bytes(each.bytes)}, ${number(each.entries)} entries`;
      const tile = el('button', {type: 'button', title: label, 'aria-label': label, click: () => page.go({view: 'entries', prefix: each.id, from: '', key: ''})},
        ...(w > 40 && h > 18 ? [...visible(names[each.id]), el('br'), el('span', {class: 'soft'}, bytes(each.bytes))] : []));
      Object.assign(tile.style, {left: x + 'px', top: y + 'px', width: w + 'px', height: h + 'px', padding: w > 40 && h > 18 ? '' : '0'});
      map.append(tile);
    });
  },
};

/** The engine's own picture: what it counts by level or chunk, and how full its pages are. */
async function picture(figures) {
  const drawn = [];
  const numbers = name => (figures[name] || '').split(' ').map(Number);
  const has = name => figures[name] !== undefined;
  const share = part => part >= 0 ? Math.round(100 * Math.min(1, part)) + ' %' : 'an unknown share';
  const taken = table => ask('table', {table}).then(answer => answer.bytes, () => NaN); // it may be damaged
  const size = Number(figures.page_size);
  for (const name of Object.keys(figures)) {
    const [, table, what] = name.match(/^table\.(.+)\.(\w+)_by_level$/) || [];
    if (what && numbers(name).some(n => n > 0)) {
      drawn.push(bars(`${table}: ${what} by level`, numbers(name).map((n, level) => ['Level ' + level, n]), what === 'bytes' ? bytes : number));
    }
    const [, tree] = name.match(/^(.+)\.leaf_pages$/) || [];
    if (tree) {
      const kinds = ['branch', 'leaf', 'overflow'].map(kind => [kind, Number(figures[`${tree}.${kind}_pages`])]);
      const fill = kinds[1][1] ? share(await taken(tree) / (size * (kinds[1][1] + kinds[2][1]))) : 'none';
      drawn.push(bars(`${tree}: pages, ${figures[tree + '.depth']} deep, ≈ ${fill} of leaf and overflow pages are keys and values`, kinds));
    }
  }
  if (has('freelist_count')) {
    const free = Number(figures.freelist_count);
    const used = Number(figures.page_count) - free;
    let sum = 0;
    for (const table of page.store.tables) sum += await taken(table);
    drawn.push(bars(`Pages, ≈ ${share(sum / (size * Math.max(1, used)))} of those in use are keys and values`, [['in use', used], ['free', free]]));
  }
  if (has('bytes_by_chunk')) {
    const live = numbers('live_bytes_by_chunk');
    const tenths = Array(10).fill(0);
    numbers('bytes_by_chunk').forEach((n, i) => { tenths[Math.min(9, Math.floor(10 * live[i] / Math.max(1, n)))] += n; });
    drawn.push(bars(`${number(live.length)} chunks, by how much of them is live`, tenths.map((n, i) => [`${10 * i} – ${10 * i + 10} %`, n]), bytes));
  }
  return drawn.length ? el('div', {class: 'columns', 'aria-label': 'Picture', role: 'group'}, drawn) : null;
}

const engine = {
  name: 'engine', title: 'Engine',

  async draw() {
    const all = await ask('statistics');
    const figures = Object.entries(all);
    const store = page.store;
    return [
      el('dl', {class: 'facts'}, fact('Engine', store.engine + ' ' + store.version), fact('On disk', bytes(store.bytes)), fact('Durability', store.durability), fact('Tables', number(store.tables.length))),
      figures.length ? await picture(all) : el('p', {class: 'soft'}, 'The engine reports no figures as it was opened.'),
      ...figures.map(([name, value]) => value.includes('\n') ? el('details', {}, el('summary', {}, name), el('pre', {}, visible(value))) : null),
      el('details', {}, el('summary', {}, 'All figures'), el('table', {class: 'plain', 'aria-label': 'Figures'}, el('tbody', {}, figures.filter(([, value]) => !value.includes('\n')).map(([name, value]) => el('tr', {}, el('td', {}, name), el('td', {}, visible(value.length > 400 ? value.slice(0, 400) + '…' : value))))))),
    ].filter(Boolean);
  },
};

// ---- two stores -----------------------------------------------------------------------------------

const compare = {
  name: 'compare', title: 'Compare', needed: () => page.stores.length > 1,

  draw() {
    compare.status = el('p', {role: 'status'}, 'Comparing …');
    compare.body = el('tbody');
    compare.stop = el('button', {type: 'button', click: () => compare.control.abort()}, 'Stop');
    compare.on = el('button', {type: 'button', hidden: true}, 'Go on');
    const [a, b] = page.stores;
    return [compare.status, el('div', {class: 'actions'}, compare.stop, compare.on), el('table', {class: 'plain', 'aria-label': 'Differences'},
      el('thead', {}, el('tr', {}, el('th', {class: 'key'}, 'Key'), el('th', {}, visible(a.name)), el('th', {}, visible(b.name)))), compare.body)];
  },

  after() { compare.run(''); },

  async run(from) {
    const control = compare.control = new AbortController();
    const turn = page.shown;
    let last = {entries: 0, different: 0};
    const tell = what => { compare.status.textContent = `${what}: ${number(last.entries)} entries of ${page.stores[0].name} compared, ${number(last.different)} different`; };
    compare.stop.hidden = false;
    compare.on.hidden = true;
    const cell = line => el('td', {}, line ? el('span', {class: 'cut'}, visible(line.value)) : el('span', {class: 'bad'}, 'missing'));
    try {
      await askLines('compare', page.asked({from}), control.signal, line => {
        if (turn !== page.shown) { control.abort(); return; }
        if (line.id === undefined) last = line;
        else compare.body.append(el('tr', {}, el('td', {class: 'key'}, el('a', {href: page.link({view: 'entries', from: line.id})}, visible((line.left || line.right).key))), cell(line.left), cell(line.right)));
        tell('Comparing');
      });
      tell(last.next ? 'Enough for now' : last.different ? 'Done' : 'Identical');
      compare.on.hidden = !last.next;
      compare.on.onclick = () => compare.run(last.next);
    } catch (e) {
      tell(e.name === 'AbortError' ? 'Stopped' : e.message);
    }
    compare.stop.hidden = true;
  },
};

Object.defineProperty(globalThis, 'VIEWS', {value: [entries, prefixes, search, anatomy, engine, compare, changed]});
