// A tiling source that includes nothing: class, TilingKey and their layout come from the force-included header.
// Expected keys: index of each value, packed from bit 0 (tail 1 bit, tile 2 bits).

static bool Check(const char* what, uint64_t found, uint64_t expected) {
    if (found != expected) {
        __builtin_printf("%s is %llu, expected %llu\n", what, (unsigned long long)found, (unsigned long long)expected);
    }
    return found == expected;
}

int main() {
    LeakyScaleTiling tiling{};
    tiling.total = 4900000000;
    tiling.alpha = 0.5f;
    bool good = Check("total", tiling.total, 4900000000);
    good &= Check("sizeof(LeakyScaleTiling)", sizeof(LeakyScaleTiling), 16);
    good &= Check("key of (0, 64)", GET_TPL_TILING_KEY(0u, 64u), 0);
    good &= Check("key of (0, 256)", GET_TPL_TILING_KEY(0u, 256u), 4);
    good &= Check("key of (1, 128)", GET_TPL_TILING_KEY(1u, 128u), 3);
    return good ? 0 : 1;
}
