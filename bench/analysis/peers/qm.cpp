// What QM DSP (Queen Mary University of London, GPL-2+), the engine of Mixxx and of the QM Vamp plugins, hears, as JSON.
// A process of its own, for comparison only: g++ -O2 -I/usr/include/qm-dsp qm.cpp -lqm-dsp; qm FILE.wav with 16-bit stereo at 44.1 kHz.
#include <ctime>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

#include <dsp/keydetection/GetKeyMode.h>
#include <dsp/onsets/DetectionFunction.h>
#include <dsp/segmentation/ClusterMeltSegmenter.h>
#include <dsp/tempotracking/DownBeat.h>
#include <dsp/tempotracking/TempoTrackV2.h>

static const int RATE = 44100;
// 11.6 ms and a window of two steps, as in the QM bar and beat tracker.
static const int STEP = 512;
static const int FRAME = 1024;

static void list(const char* name, const std::vector<double>& values) {
  std::printf("\"%s\":[", name);
  for (size_t i = 0; i < values.size(); i++) std::printf("%s%.4f", i ? "," : "", values[i]);
  std::printf("],");
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  std::ifstream file(argv[1], std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (bytes.size() < 44) return 1;
  const int16_t* raw = reinterpret_cast<const int16_t*>(bytes.data() + 44);
  std::vector<double> samples((bytes.size() - 44) / 4);
  for (size_t i = 0; i < samples.size(); i++) samples[i] = (raw[2 * i] + raw[2 * i + 1]) / 65536.0;
  const std::clock_t start = std::clock();

  DFConfig config = {STEP, FRAME, DF_COMPLEXSD, 3, false, -1, -1};
  DetectionFunction detection(config);
  DownBeat downBeat(RATE, 16, STEP);
  std::vector<double> df;
  for (size_t at = 0; at + FRAME <= samples.size(); at += STEP) {
    df.push_back(detection.processTimeDomain(&samples[at]));
    std::vector<float> block(samples.begin() + at, samples.begin() + at + STEP);
    downBeat.pushAudioBlock(block.data());
  }
  size_t used = df.size();
  while (used > 2 && df[used - 1] <= 0) used--;
  // The first two values are the start-up of the phase vocoder.
  std::vector<double> curve(df.begin() + (used > 2 ? 2 : 0), df.begin() + used);
  std::vector<double> period(curve.size()), tempi, beats;
  TempoTrackV2 tracker(RATE, STEP);
  tracker.calculateBeatPeriod(curve, period, tempi);
  tracker.calculateBeats(curve, period, beats);
  std::vector<int> first;
  size_t length = 0;
  const float* buffered = downBeat.getBufferedAudio(length);
  if (beats.size() > 4) downBeat.findDownBeats(buffered, length, beats, first);

  GetKeyMode keyMode(RATE, 440.0f, 10, 10);
  std::vector<int> seen(25, 0);
  for (size_t at = 0; at + keyMode.getBlockSize() <= samples.size(); at += keyMode.getHopSize()) {
    const int key = keyMode.process(&samples[at]);
    if (key >= 1 && key <= 24) seen[key]++;
  }
  int key = 1;
  for (int k = 1; k <= 24; k++)
    if (seen[k] > seen[key]) key = k;

  ClusterMeltSegmenterParams params;
  ClusterMeltSegmenter segmenter(params);
  segmenter.initialise(RATE);
  for (size_t at = 0; at + segmenter.getWindowsize() <= samples.size(); at += segmenter.getHopsize())
    segmenter.extractFeatures(&samples[at], segmenter.getWindowsize());
  segmenter.segment(10);
  const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;

  // Steps are counted from the first value used; a value stands for the middle of its frame.
  const auto timeOf = [](double step) { return ((step + 2) * STEP + STEP / 2) / RATE; };
  std::vector<double> times, downbeats, sections;
  for (double beat : beats) times.push_back(timeOf(beat));
  for (int i : first) downbeats.push_back(timeOf(beats[i]));
  for (const Segment& s : segmenter.getSegmentation().segments) sections.push_back(double(s.start) / RATE);
  static const char* TONICS[] = {"C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"};
  std::printf("{");
  list("beats", times);
  list("downbeats", downbeats);
  list("sections", sections);
  std::printf("\"key\":\"%s %s\",\"seconds\":%.3f}", TONICS[(key - 1) % 12], key > 12 ? "minor" : "major", seconds);
  return 0;
}
