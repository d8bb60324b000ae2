//! Files that end in a digest: damaged ones, and forged ones whose digest is right again.

const DIGEST_BYTES: usize = 16;

/// `good` with changes, four bytes of `changes` each: three for a place, the lowest first, and the new
/// byte. A place beyond the end cuts the file or lengthens it. If asked, the digest is made right again.
pub fn changed(good: &[u8], changes: &[u8], signed: bool) -> Vec<u8> {
    let mut file = good.to_vec();
    let (changes, _) = changes.as_chunks::<4>();
    for &[low, middle, high, new] in changes {
        let place = u32::from_le_bytes([low, middle, high, 0]) as usize;
        match file.get_mut(place) {
            Some(byte) => *byte = new,
            None if place & 1 == 0 => file.truncate(file.len().saturating_sub(usize::from(new))),
            None => file.extend([new; 3]),
        }
    }
    if signed && file.len() >= DIGEST_BYTES {
        let body = file.len() - DIGEST_BYTES;
        file.truncate(body);
        sign(&mut file);
    }
    file
}

/// Appends the digest of what is there, as the description of the net file defines it.
pub fn sign(file: &mut Vec<u8>) {
    let body = file.len();
    let ends_in_a_whole_word = body.is_multiple_of(8);
    for multiplier in [0x9e37_79b9_7f4a_7c15_u64, 0xd1b5_4a32_d192_ed03] {
        let mut state = multiplier ^ body as u64;
        for word in file[..body].chunks(8).chain(ends_in_a_whole_word.then_some(&[][..])) {
            let mut padded = [0; 8];
            padded[..word.len()].copy_from_slice(word);
            state = (state ^ u64::from_le_bytes(padded)).wrapping_mul(multiplier);
            state ^= state >> 29;
        }
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        state ^= state >> 31;
        file.extend(state.to_le_bytes());
    }
}
