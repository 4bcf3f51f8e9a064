"""What is kept on disk: kernels, measurements, libraries, and the folders of drivers."""
