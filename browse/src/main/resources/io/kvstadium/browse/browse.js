'use strict';
// The frame: where we are (the address after #), what is there (the endpoints), and the keyboard.

/** Makes an element: attributes by name, functions as listeners, the rest as children; text is always text. */
function el(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (typeof value === 'function') element.addEventListener(key, value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined));
  return element;
}

// Control characters, those that turn the direction of writing, and those that cannot be seen.
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/u;

/** Text with what cannot be seen made visible. */
function visible(text) {
  if (!UNSEEN.test(text)) return [text];
  const parts = [];
  let plain = '';
  for (const c of text) {
    if (UNSEEN.test(c)) {
      if (plain) parts.push(plain);
      plain = '';
      parts.push(el('span', {class: 'ctl'}, 'U+' + c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')));
    } else plain += c;
  }
  return plain ? [...parts, plain] : parts;
}

const number = n => Math.round(n).toLocaleString('en');

function bytes(n) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let unit = 0;
  for (; n >= 1000 && unit < units.length - 1; unit++) n /= 1000;
  return (unit === 0 ? Math.round(n) : n.toPrecision(3)) + ' ' + units[unit];
}

/** Where an endpoint is; without the user and password that the page's own address may have. */
const endpoint = (path, query) => location.origin + location.pathname + 'api/' + path + '?' + query;

/** Asks an endpoint. */
async function ask(path, parameters, body) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters || {})) {
    if (value !== null && value !== undefined && value !== '') query.set(key, value);
  }
  const answer = await fetch(endpoint(path, query), body === undefined ? {} : {method: 'POST', body: JSON.stringify(body)});
  const type = answer.headers.get('Content-Type') || '';
  const content = type.startsWith('application/json') ? await answer.json() : {error: await answer.text()};
  if (!answer.ok) throw new Error(content.error);
  return content;
}

/** Asks an endpoint whose answer comes in lines, until it ends or the signal stops it. */
async function askLines(path, parameters, signal, onLine) {
  const answer = await fetch(endpoint(path, new URLSearchParams(parameters)), {signal});
  if (!answer.ok) throw new Error((await answer.json()).error);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const content = JSON.parse(line);
      if (content.error) throw new Error(content.error);
      onLine(content);
    }
  }
}

const page = {
  stores: [],
  place: {view: 'entries'},
  views: VIEWS,
  shown: 0,

  get store() { return this.stores[0]; },

  /** Reads the address. */
  read() {
    const [view, query] = location.hash.replace(/^#\/?/, '').split('?');
    const place = {view: view || 'entries', ...Object.fromEntries(new URLSearchParams(query || ''))};
    if (!page.store.tables.includes(place.table)) place.table = page.first();
    return place;
  },

  first() {
    const tables = page.store.tables;
    return tables.length > 1 && tables[0] === 'default' && page.sizes && page.sizes.default === 0 ? tables[1] : tables[0];
  },

  /** The address of a place: a change of this one. */
  link(change) {
    const {view, ...rest} = {...page.place, ...change};
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(rest)) if (value) query.set(key, value);
    return '#/' + view + '?' + query;
  },

  go(change) { location.hash = page.link(change); },

  /** Remembers how a table's keys and values are read. */
  decoder(kind, chosen) {
    const name = 'decoder ' + page.store.name + ' ' + page.place.table + ' ' + kind;
    try {
      if (chosen !== undefined) localStorage.setItem(name, chosen);
      return page.place[kind] || localStorage.getItem(name) || '';
    } catch (e) {
      return page.place[kind] || ''; // the browser keeps nothing for pages
    }
  },

  /** What every question about a table has. */
  asked(more) {
    return {table: page.place.table, keys: page.decoder('keys'), values: page.decoder('values'), ...more};
  },

  say(text) {
    document.getElementById('notices').replaceChildren(text ? el('p', {class: 'notice', role: 'alert'}, visible(text)) : '');
  },
};

const MAIN = document.getElementById('main');

async function show() {
  const turn = ++page.shown;
  page.place = page.read();
  page.say('');
  drawTables();
  const views = page.views.filter(view => !view.needed || view.needed());
  const current = views.find(view => view.name === page.place.view) || views[0];
  document.getElementById('views').replaceChildren(...views.map((view, i) => el('a', {
    href: page.link({view: view.name, from: '', key: '', text: '', prefix: ''}), 'aria-keyshortcuts': i + 1,
    'aria-current': view === current ? 'page' : null,
  }, view.title)));
  page.keys = {};
  if (!page.place.table && current.name !== 'engine') {
    MAIN.replaceChildren(el('p', {}, 'There is no table in this store.'));
    return;
  }
  try {
    const content = await current.draw();
    if (turn === page.shown) {
      MAIN.replaceChildren(...[content].flat());
      current.after?.();
    }
  } catch (e) {
    if (turn === page.shown) page.say(e.message);
  }
}

function drawTables() {
  const list = page.store.tables.map(table => {
    const size = el('small', {}, page.sizes[table] === undefined ? '…' : page.sizes[table]);
    return el('li', {}, el('a', {
      href: '#/' + page.place.view + '?table=' + encodeURIComponent(table),
      'aria-current': table === page.place.table ? 'true' : null,
    }, visible(table), size));
  });
  const unread = Object.entries(page.store.unreadable).map(([name, why]) =>
    el('li', {class: 'soft small', title: why}, 'not read: ', visible(name), ': ', visible(why)));
  document.getElementById('tables').replaceChildren(el('ul', {}, list, unread));
}

/** How large the tables are, one after the other: what is looked at is not kept waiting. */
async function measure() {
  for (const table of page.store.tables) {
    try {
      const size = await ask('table', {table});
      page.sizes[table] = (size.exact ? '' : '≈ ') + number(size.entries) + ' entries, ' + bytes(size.bytes);
    } catch (e) {
      page.sizes[table] = e.message;
    }
    drawTables();
  }
}

const SHORTCUTS = [
  ['1 … 7', 'the views'], ['[  ]', 'the table before, after'], ['/', 'go to a key, or search'],
  ['j  k, ↓  ↑', 'the next, previous entry'], ['Enter', 'open the entry'], ['Escape', 'close it'],
  ['Home  End', 'the first, last entries'], ['?', 'this list'],
];

function theme(change) {
  const root = document.documentElement;
  let name = root.dataset.theme;
  try {
    if (change) localStorage.setItem('theme', change);
    name = localStorage.getItem('theme') || name;
  } catch (e) { name = change || name; }
  name ||= matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  root.dataset.theme = name;
  document.getElementById('theme').textContent = name === 'dark' ? 'Light' : 'Dark';
  return name;
}

addEventListener('keydown', event => {
  const typing = event.target.closest('input, textarea, select, dialog');
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') {
    if (document.activeElement !== document.body && typing && !event.target.closest('dialog')) document.activeElement.blur();
    else page.keys.Escape?.();
    return;
  }
  if (typing) return;
  const link = document.querySelector(`#views a[aria-keyshortcuts="${CSS.escape(event.key)}"]`);
  const tables = page.store?.tables || [];
  const turned = {'[': -1, ']': 1}[event.key];
  if (link) link.click();
  else if (turned) page.go({table: tables[(tables.indexOf(page.place.table) + turned + tables.length) % tables.length], from: '', key: '', prefix: ''});
  else if (event.key === '?') document.getElementById('keys').showModal();
  else if (event.key === '/') document.querySelector('main input[type=search]')?.focus();
  else if (page.keys[event.key]) page.keys[event.key](event);
  else return;
  if (event.key !== 'Enter') event.preventDefault();
});

async function start() {
  theme();
  document.getElementById('theme').onclick = () => theme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  document.getElementById('help').onclick = () => document.getElementById('keys').showModal();
  document.getElementById('shortcuts').append(...SHORTCUTS.map(([key, what]) => el('div', {}, el('dt', {}, key), el('dd', {}, what))));
  page.sizes = {};
  try {
    page.stores = await ask('store');
  } catch (e) {
    page.say(e.message);
    return;
  }
  const store = page.store;
  const names = page.stores.map(each => each.name).join('  ↔  ');
  document.title = names + ' – KV Stadium';
  document.getElementById('store').replaceChildren(...visible(names));
  document.getElementById('mode').textContent = store.writable ? '· may be changed' : '· read-only';
  document.getElementById('about').replaceChildren(...visible(
    `${store.description} · ${store.engine} ${store.version} · ${bytes(store.bytes)} on disk`
    + (store.copied ? ' · shown from a copy in key order' : ` · durability ${store.durability}`)
    + (store.incomplete ? ' · INCOMPLETE: a copy or an import has not finished' : '')));
  addEventListener('hashchange', show);
  await show();
  measure();
}

start();
