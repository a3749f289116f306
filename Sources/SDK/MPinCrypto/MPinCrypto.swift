// SPDX-License-Identifier: Apache-2.0

// BN254CX field, curve groups and pairing; the M-Pin and DVS algorithms on bytes. It has no network, no storage and no
// PIN entry; it uses `Sealing` for hashes, and libcrypto for random numbers and wiping. Lower layer (`Field`, `Curve`,
// `Pairing`): arithmetic. Upper layer (`MPin`): typed values in, typed errors out. Encodings are strict, and only the
// upper layer decodes them. Code that touches a secret has no secret-dependent branches or addresses.
