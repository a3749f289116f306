// SPDX-License-Identifier: Apache-2.0

// BN254CX field, curve groups and pairing; the M-Pin and DVS algorithms on bytes. This module knows no other: no
// network, no storage, no PIN entry; libcrypto only for SHA-256 and randomness. Lower layer (`Field`, `Curve`,
// `Pairing`): arithmetic. Upper layer (`MPin`): typed values in, typed errors out. Encodings are strict, and only the
// upper layer decodes them. Code that touches a secret has no secret-dependent branches or addresses.
