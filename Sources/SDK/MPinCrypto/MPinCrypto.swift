// SPDX-License-Identifier: Apache-2.0

// BN254CX field, curve groups and pairing; the M-Pin and DVS algorithms on bytes.
// It must not know any other room: no network, no storage, no PIN entry; libcrypto only for SHA-256 and randomness.
// Lower layer (`Field`, `Curve`, `Pairing`): arithmetic. Upper layer (`MPin`): typed values in, typed errors out.
// Encodings are strict and are decoded at the upper layer's edge only.
// Everything that touches a secret is written without secret-dependent branches or addresses.
