static inline void product_sycl(
    [[maybe_unused]] const sycl::nd_item<2> &item,
    const double *__restrict__ A,
    const double *__restrict__ B,
    long long B_size2,
    double *__restrict__ C,
    long long C_size2,
    long long elements)
{
    int item_row = (long long)item.get_local_id(1);
    int item_column = (long long)item.get_local_id(0) % 2;
    long long wanted = 16 * (long long)item.get_group(1) + (long long)item.get_local_id(0) / 2;
    bool is_element = wanted < elements;
    long long element = sycl::min(wanted, elements - 1);
    // %g = group_id
    // test.tl:3:3
    long long g = element;
    // %b = subview %B[:, :, %g] : memref<f64x3x4x?>
    // test.tl:4:3
    const double *b = B + 12 * g;
    // %c = subview %C[:, :, %g] : memref<f64x5x4x?>
    // test.tl:5:3
    double *c = C + 20 * g;
    // gemm.n.n 2.0, %A, %b, 1.0, %c : f64, memref<f64x5x3>, memref<f64x3x4>, f64, memref<f64x5x4>
    // test.tl:6:3
    if (is_element) {
        {
            double sum[4];
            #pragma unroll
            for (int jj = 0; jj < 2; ++jj) {
                #pragma unroll
                for (int ii = 0; ii < 2; ++ii) {
                    sum[ii + 2 * jj] = 0.0;
                }
            }
            for (int k = 0; k < 3; ++k) {
                #pragma unroll
                for (int jj = 0; jj < 2; ++jj) {
                    #pragma unroll
                    for (int ii = 0; ii < 2; ++ii) {
                        sum[ii + 2 * jj] += A[sycl::min(item_row + ii * 4, 4) + 5 * k] * b[k + 3 * (2 * item_column + jj)];
                    }
                }
            }
            #pragma unroll
            for (int jj = 0; jj < 2; ++jj) {
                #pragma unroll
                for (int ii = 0; ii < 2; ++ii) {
                    if (item_row + ii * 4 < 5) {
                        c[item_row + ii * 4 + 5 * (2 * item_column + jj)] = c[item_row + ii * 4 + 5 * (2 * item_column + jj)] + 2.0 * sum[ii + 2 * jj];
                    }
                }
            }
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
        handler.parallel_for(sycl::nd_range<2>({32, 4 * groups}, {32, 4}), [=](sycl::nd_item<2> item) {
            product_sycl(item, A, B, B_size2, C, C_size2, elements);
        });
    });
}
