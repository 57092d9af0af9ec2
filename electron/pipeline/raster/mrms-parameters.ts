// Names of the MRMS products, so that an error can name the product that it refuses. From NSSL's user table of the
// local GRIB2 discipline 209, versions 11 to 12.1 (a work of the United States Government).
import { AppError } from "../../../shared/app-error.ts";
import type { GribIdentity } from "../../../shared/products/product.ts";

const MRMS_DISCIPLINE = 209;

/** Rows of a category, a parameter number, and the names from that number on. */
const NAMES = `
  2/0 NLDN_CG_001min_AvgDensity NLDN_CG_005min_AvgDensity NLDN_CG_015min_AvgDensity
  2/3 NLDN_CG_030min_AvgDensity LightningProbabilityNext30min LightningProbabilityNext30minGrid
  2/6 LightningProbabilityNext60minGrid LightningJumpGrid LightningJumpGrid_Max_005min
  3/0 MergedAzShear0to2kmAGL MergedAzShear3to6kmAGL RotationTrack30min RotationTrack60min
  3/4 RotationTrack120min RotationTrack240min RotationTrack360min RotationTrack1440min
  3/14 RotationTrackML30min RotationTrackML60min RotationTrackML120min RotationTrackML240min
  3/18 RotationTrackML360min RotationTrackML1440min
  3/26 SHI POSH MESH MESHMax30min MESHMax60min MESHMax120min MESHMax240min MESHMax360min MESHMax1440min
  3/37 VIL_Max_120min
  3/40 VIL_Max_1440min VIL VIL_Density VII EchoTop_18 EchoTop_30 EchoTop_50 EchoTop_60 H50AboveM20C
  3/49 H50Above0C H60AboveM20C H60Above0C Reflectivity_0C Reflectivity_-5C Reflectivity_-10C
  3/55 Reflectivity_-15C Reflectivity_-20C ReflectivityAtLowestAltitude MergedReflectivityAtLowestAltitude
  4/0 IRband4 Visible WaterVapor CloudCover
  6/0 PrecipFlag PrecipRate RadarOnly_QPE_01H RadarOnly_QPE_03H RadarOnly_QPE_06H RadarOnly_QPE_12H
  6/6 RadarOnly_QPE_24H RadarOnly_QPE_48H RadarOnly_QPE_72H GaugeCorr_QPE_01H GaugeCorr_QPE_03H
  6/11 GaugeCorr_QPE_06H GaugeCorr_QPE_12H GaugeCorr_QPE_24H GaugeCorr_QPE_48H GaugeCorr_QPE_72H
  6/16 GaugeOnly_QPE_01H GaugeOnly_QPE_03H GaugeOnly_QPE_06H GaugeOnly_QPE_12H GaugeOnly_QPE_24H
  6/21 GaugeOnly_QPE_48H GaugeOnly_QPE_72H MountainMapper_QPE_01H MountainMapper_QPE_03H
  6/25 MountainMapper_QPE_06H MountainMapper_QPE_12H MountainMapper_QPE_24H MountainMapper_QPE_48H
  6/29 MountainMapper_QPE_72H MultiSensor_QPE_01H_Pass1 MultiSensor_QPE_03H_Pass1 MultiSensor_QPE_06H_Pass1
  6/33 MultiSensor_QPE_12H_Pass1 MultiSensor_QPE_24H_Pass1 MultiSensor_QPE_48H_Pass1
  6/36 MultiSensor_QPE_72H_Pass1 MultiSensor_QPE_01H_Pass2 MultiSensor_QPE_03H_Pass2
  6/39 MultiSensor_QPE_06H_Pass2 MultiSensor_QPE_12H_Pass2 MultiSensor_QPE_24H_Pass2
  6/42 MultiSensor_QPE_48H_Pass2 MultiSensor_QPE_72H_Pass2 SyntheticPrecipRateID RadarOnly_QPE_15M
  7/0 Model_SurfaceTemp Model_WetBulbTemp WarmRainProbability Model_0degC_Height BrightBandTopHeight
  7/5 BrightBandBottomHeight
  8/0 RadarQualityIndex GaugeInflIndex_01H_Pass1 GaugeInflIndex_03H_Pass1 GaugeInflIndex_06H_Pass1
  8/4 GaugeInflIndex_12H_Pass1 GaugeInflIndex_24H_Pass1 GaugeInflIndex_48H_Pass1 GaugeInflIndex_72H_Pass1
  8/8 SeamlessHSR SeamlessHSRHeight RadarAccumulationQualityIndex_01H RadarAccumulationQualityIndex_03H
  8/12 RadarAccumulationQualityIndex_06H RadarAccumulationQualityIndex_12H RadarAccumulationQualityIndex_24H
  8/15 RadarAccumulationQualityIndex_48H RadarAccumulationQualityIndex_72H GaugeInflIndex_01H_Pass2
  8/18 GaugeInflIndex_03H_Pass2 GaugeInflIndex_06H_Pass2 GaugeInflIndex_12H_Pass2 GaugeInflIndex_24H_Pass2
  8/22 GaugeInflIndex_48H_Pass2 GaugeInflIndex_72H_Pass2
  9/0 MergedReflectivityQC CONUSPlusMergedReflectivityQC
  9/3 MergedRhoHV MergedZdr
  10/0 MergedReflectivityQCComposite HeightCompositeReflectivity LowLevelCompositeReflectivity
  10/3 HeightLowLevelCompositeReflectivity LayerCompositeReflectivity_Low LayerCompositeReflectivity_High
  10/6 LayerCompositeReflectivity_Super CREF_1HR_MAX ReflectivityMaxAboveM10C LayerCompositeReflectivity_ANC
  10/10 BREF_1HR_MAX
  11/0 MergedBaseReflectivityQC MergedReflectivityComposite MergedReflectivityQComposite
  11/3 MergedBaseReflectivity
  12/0 FLASH_CREST_MAXUNITSTREAMFLOW FLASH_CREST_MAXSTREAMFLOW FLASH_CREST_MAXSOILSAT
  12/4 FLASH_SAC_MAXUNITSTREAMFLOW FLASH_SAC_MAXSTREAMFLOW FLASH_SAC_MAXSOILSAT
  12/14 FLASH_QPE_ARI30M FLASH_QPE_ARI01H FLASH_QPE_ARI03H FLASH_QPE_ARI06H FLASH_QPE_ARI12H
  12/19 FLASH_QPE_ARI24H FLASH_QPE_ARIMAX
  12/26 FLASH_QPE_FFG01H FLASH_QPE_FFG03H FLASH_QPE_FFG06H FLASH_QPE_FFGMAX
  12/39 FLASH_HP_MAXUNITSTREAMFLOW FLASH_HP_MAXSTREAMFLOW
  13/0 ANC_ConvectiveLikelihood ANC_FinalForecast
  14/0 LVL3_HREET LVL3_HighResVIL
`;

/** Returns the name in the table; undefined if it has none. */
function findName({ discipline, category, parameter }: GribIdentity): string | undefined {
  if (discipline !== MRMS_DISCIPLINE) return undefined;
  for (const [, inRow, first, names] of NAMES.matchAll(/^ +(\d+)\/(\d+) (.*)$/gm)) {
    const name = Number(inRow) === category ? names!.split(" ")[parameter - Number(first)] : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
}

/**
 * Returns the error about a product that the viewer does not draw, by its name in the table.
 * @param nameInFile the name for a product that the table does not have
 */
export function notALayer(identity: GribIdentity, nameInFile?: string): AppError {
  const { discipline, category, parameter } = identity;
  const numbers = `discipline ${discipline}, category ${category}, parameter ${parameter}`;
  const name = findName(identity) ?? nameInFile ?? `The product of ${numbers}`;
  return new AppError("source-invalid", `${name} is not a layer of this viewer.`, { context: { identity } });
}
