static inline void product_sycl(
    [[maybe_unused]] const sycl::nd_item<2> &item,
    const double *__restrict__ A,
    const double *__restrict__ B,
    long long B_size2,
    double *__restrict__ C,
    long long C_size2,
    long long elements)
{
    double lanes_1[12];
    double lanes[20];
    double *B_lanes = lanes_1;
    double *C_lanes = lanes;
    long long first = (long long)item.get_group(1) * 64;
    long long stop = sycl::min(first + 64, elements);
    for (long long element = first + (long long)item.get_local_id(1); element < stop; element += 64) {
        long long lane0 = element;
        const double *B_0 = B + lane0 * 12;
        double *C_0 = C + lane0 * 20;
        // load %B
        for (int turn = 0; turn < 12; ++turn) {  // entries of B_lanes
            int position = turn;
            B_lanes[position] = (double)(B_0[position]);
        }
        // gemm.n.n 2.0, %A, %b, 1.0, %c : f64, memref<f64x5x3>, memref<f64x3x4>, f64, memref<f64x5x4>
        // test.tl:6:3
        for (int turn = 0; turn < 5; ++turn) {
            double held = A[turn];
            double held_1 = A[turn + 5];
            double held_2 = A[turn + 10];
            C_lanes[turn] = 2.0 * (held * B_lanes[0] + held_1 * B_lanes[1] + held_2 * B_lanes[2]);
            C_lanes[turn + 5] = 2.0 * (held * B_lanes[3] + held_1 * B_lanes[4] + held_2 * B_lanes[5]);
            C_lanes[turn + 10] = 2.0 * (held * B_lanes[6] + held_1 * B_lanes[7] + held_2 * B_lanes[8]);
            C_lanes[turn + 15] = 2.0 * (held * B_lanes[9] + held_1 * B_lanes[10] + held_2 * B_lanes[11]);
        }
        // store %C
        for (int turn = 0; turn < 20; ++turn) {  // entries of C_lanes
            int position = turn;
            double entry = (double)(C_0[position]) + C_lanes[position];
            C_0[position] = entry;
        }
    }
}

sycl::event product_sycl(
    sycl::queue &queue,
    std::size_t groups,
    const double *__restrict__ A,
    const double *__restrict__ B,
    long long B_size2,
    double *__restrict__ C,
    long long C_size2,
    long long elements)
{
    return queue.submit([&](sycl::handler &handler) {
        handler.parallel_for(sycl::nd_range<2>({1, 64 * groups}, {1, 64}), [=](sycl::nd_item<2> item) {
            product_sycl(item, A, B, B_size2, C, C_size2, elements);
        });
    });
}
