//! Reads traces; see docs/internals/trace-format.md.

use std::fs;

use crate::store::Res;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Get,
    Put,
    Delete,
    Scan,
}

/// An operation of a trace.
pub struct Operation<'a> {
    pub kind: Kind,
    pub hit: bool,
    pub key: Vec<u8>,
    /// What it writes or should read; of a scan, its first entry's and what
    /// follows in the file.
    pub value: Option<&'a [u8]>,
    /// Of a scan.
    pub limit: Option<usize>,
    /// Of a scan's entries.
    pub count: Option<u64>,
}

/// One operation, or several: a batch, a get of several keys, a
/// read-modify-write.
pub struct Call<'a> {
    pub steps: Vec<Operation<'a>>,
    pub bounded: bool,
}

impl Call<'_> {
    /// As many as a batch of writes has; any other call is one.
    pub fn operations(&self) -> u64 {
        match self.steps[0].kind {
            Kind::Get => 1,
            _ => self.steps.len() as u64,
        }
    }
}

/// Reads all calls of a trace. A batch may go on in the next block. Checksums
/// are not checked.
pub fn read<'a>(path: &str, values: &'a [u8]) -> Res<Vec<Call<'a>>> {
    let content = fs::read(path)?;
    if content.len() < 16 || !content.starts_with(b"\x89KVTRAC\n") || content[8] > 2 {
        return Err(format!("{path} is not a trace of version 2").into());
    }
    let mut calls = Vec::new();
    let mut inside: Option<Vec<Operation>> = None;
    let mut at = None;
    let mut rest = &content[16..];
    while rest.len() >= 12 {
        let kind = rest[4];
        let size = u32::from_be_bytes([0, rest[5], rest[6], rest[7]]) as usize;
        let mut block = Block::new(&rest[12..12 + size]);
        rest = &rest[12 + size..];
        if kind != b'O' {
            continue;
        }
        for _ in 0..4 {
            block.varint();
        }
        while !block.rest.is_empty() {
            match block.next()? {
                Item::Value(place) => at = Some(place),
                Item::Begin => inside = Some(Vec::new()),
                Item::End => calls.push(Call {
                    steps: inside.take().ok_or("a batch ends that has not begun")?,
                    bounded: true,
                }),
                Item::Operation(mut next, length) => {
                    next.value = at.take().map(|place: usize| match next.kind {
                        Kind::Scan => &values[place..],
                        _ => &values[place..place + length as usize],
                    });
                    match &mut inside {
                        Some(steps) => steps.push(next),
                        None => calls.push(Call {
                            steps: vec![next],
                            bounded: false,
                        }),
                    }
                }
            }
        }
    }
    Ok(calls)
}

enum Item<'a> {
    /// The next operation, and the length of its value.
    Operation(Operation<'a>, i64),
    /// Where the value of the next operation begins.
    Value(usize),
    Begin,
    End,
}

struct Block<'b> {
    rest: &'b [u8],
    keys: Vec<Vec<u8>>,
    lengths: Vec<i64>,
}

impl<'b> Block<'b> {
    fn new(rest: &'b [u8]) -> Self {
        Block {
            rest,
            keys: Vec::new(),
            lengths: Vec::new(),
        }
    }

    fn byte(&mut self) -> u8 {
        let byte = self.rest[0];
        self.rest = &self.rest[1..];
        byte
    }

    fn varint(&mut self) -> u64 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return value;
            }
            shift += 7;
        }
    }

    fn zigzag(&mut self) -> i64 {
        let code = self.varint();
        (code >> 1) as i64 ^ -((code & 1) as i64)
    }

    /// The number of a key in the block.
    fn key(&mut self) -> Option<usize> {
        let code = self.varint();
        if code > 0 {
            return (code as usize).checked_sub(2);
        }
        let (common, more) = (self.varint() as usize, self.varint() as usize);
        let mut key = Vec::with_capacity(common + more);
        if common > 0 {
            key.extend_from_slice(&self.keys[self.keys.len() - 1][..common]);
        }
        key.extend_from_slice(&self.rest[..more]);
        self.rest = &self.rest[more..];
        self.keys.push(key);
        self.lengths.push(0);
        Some(self.keys.len() - 1)
    }

    fn next<'a>(&mut self) -> Res<Item<'a>> {
        let first = self.byte();
        if first & 0x60 != 0 {
            return Err(format!("operation {first:#x} has a thread or a table").into());
        }
        let hit = first & 0x80 == 0 || self.byte() == 0;
        self.varint(); // time
        self.varint(); // duration
        let kind = match first & 0x1f {
            0 => Kind::Get,
            2 => Kind::Put,
            5 => Kind::Delete,
            8 => Kind::Scan,
            10 => return Ok(Item::Begin),
            11 => return Ok(Item::End),
            19 => return Ok(Item::Value(self.varint() as usize - 1)),
            other => return Err(format!("operation {other} is not played").into()),
        };
        let number = self.key();
        let mut next = Operation {
            kind,
            hit,
            key: number.map_or_else(Vec::new, |number| self.keys[number].clone()),
            value: None,
            limit: None,
            count: None,
        };
        let mut length = -1;
        match (kind, number) {
            (Kind::Scan, _) => {
                self.key(); // upper bound: there is none
                self.byte();
                next.limit = (self.varint() as usize).checked_sub(1);
                self.zigzag(); // length
                next.count = self.varint().checked_sub(1);
            }
            (Kind::Get | Kind::Put, Some(number)) => {
                length = self.lengths[number] + self.zigzag();
                if length >= 0 {
                    self.lengths[number] = length;
                }
            }
            _ => {}
        }
        Ok(Item::Operation(next, length))
    }
}
