/* Entry points for tests written in other languages. JSON in, JSON out; every answer has "ok", and "error" when it is
   false. What is given back is freed with pypto_twin_free. Plain C. */
#ifndef PYPTO_TWIN_HOST_TESTING_H_
#define PYPTO_TWIN_HOST_TESTING_H_

#ifdef __cplusplus
extern "C" {
#endif

/* Runs a tiling function. Request: {"library", "op_type", "soc", "tiling_bytes", "inputs", "outputs", "attrs"}; parameters
   are {"name", "kind", "tensors": [{"shape", "dtype", "format", "data": hex or absent}]} in the OpDef's order, attributes
   {"name", "type", "value"}; "kernel" {"name", "fields": [{"name", "bits", "values"}], "keys": [{"packed", "values"}],
   "cores"} says what the key is checked against. Answer: {"tiling_key": text, "key_problem": text, "block_dim",
   "most_blocks", "workspaces", "tiling_data": hex, "schedule_mode"}. */
__attribute__((visibility("default"))) char* pypto_twin_tiling(const char* request);

/* Runs InferShape and InferDataType. Request as above. Answer: {"outputs": [{"shape", "dtype"}]}. */
__attribute__((visibility("default"))) char* pypto_twin_infer_shape(const char* request);

/* What a host library registers: {"tiling_ops", "infershape_ops"}. Request: {"library"}. */
__attribute__((visibility("default"))) char* pypto_twin_registered(const char* request);

/* The last launch of this thread: {"kernel", "dtypes", "tiling_key": text, "block_dim", "workspace_bytes", "site"}. */
__attribute__((visibility("default"))) char* pypto_twin_last_launch(void);

__attribute__((visibility("default"))) void pypto_twin_free(char* text);

#ifdef __cplusplus
}
#endif

#endif /* PYPTO_TWIN_HOST_TESTING_H_ */
