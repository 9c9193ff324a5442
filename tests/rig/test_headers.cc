// The program of the target `test_headers`, which exists for its precompiled header alone: the programs of all tests use it.
int main() { return 0; }
