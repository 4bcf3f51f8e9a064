/* Kernels of @file@, made by einsum-front: SYCL 2020, and what a C program needs to run it.
 *
 *     if (@name@_KERNEL(queue, arguments…, batch) != @NAME@_SUCCESS)
 *         fprintf(stderr, "%s\n", @name@_message());
 *
 * A function of a kernel submits it to the queue, and does not wait. All functions may be called by several threads at
 * once.
 */
#ifndef @NAME@_H
#define @NAME@_H

/* The address of a `sycl::queue`, which is in order: it has `sycl::property::queue::in_order`. */
typedef void *@name@_queue;

@include shared/gpu_header.h@
